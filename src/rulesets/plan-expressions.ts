import { compile, compileValue, type Predicate, type Scheme, type Value } from '../expressions/index.ts'
import { planLimits } from '../kit/limits.ts'
import type { ExpressionPlace } from './fields/expression-place.ts'
import { httpScheme } from './fields/http-scheme.ts'
import type { ListLookup } from './plan.ts'
import { expressionInvalid } from './problems.ts'
import { refuse } from './reading.ts'
import type { RequestView } from './request-view.ts'

/** A filter that is ready to run. */
export interface CompiledFilter {
  readonly test: Predicate<RequestView>
  readonly fields: ReadonlySet<string>
}

export interface CompiledValue {
  readonly read: (view: RequestView) => Value
  readonly fields: ReadonlySet<string>
}

type Compiled = CompiledFilter | CompiledValue

/**
 * Compiled expressions by place and text: thousands of zones have the same rules, and a change of one zone leaves most
 * of its expressions as they are. Kept as long as some plan has them: the automata of one may take half a megabyte. What
 * names a list is kept for each account apart.
 */
class KeptExpressions {
  readonly #kept = new Map<string, WeakRef<Run>>()
  #sweepAt = sweepFrom

  get(key: string): Compiled | undefined {
    const run = this.#kept.get(key)?.deref()
    return run && byRun.get(run)
  }

  keep(key: string, compiled: Compiled): void {
    if (this.#kept.size >= this.#sweepAt) this.#sweep()
    if (this.#kept.size >= planLimits.expressionsKept) {
      const [oldest] = this.#kept.keys()
      this.#kept.delete(oldest!)
    }
    const run = 'test' in compiled ? compiled.test : compiled.read
    byRun.set(run, compiled)
    this.#kept.set(key, new WeakRef(run))
  }

  #sweep(): void {
    for (const [key, run] of this.#kept) if (run.deref() === undefined) this.#kept.delete(key)
    this.#sweepAt = Math.max(sweepFrom, 2 * this.#kept.size)
  }
}

const sweepFrom = 1000

/** What plans hold of an expression. */
type Run = CompiledFilter['test'] | CompiledValue['read']

/** What the closure comes with is kept as long as the closure. */
const byRun = new WeakMap<Run, Compiled>()

const withoutLists = new KeptExpressions()
const byLists = new WeakMap<ListLookup, KeptExpressions>()

/** A list is named after a dollar sign; one inside a text does no harm. */
function keptFor(text: string, lists: ListLookup): KeptExpressions {
  if (!text.includes('$')) return withoutLists
  let kept = byLists.get(lists)
  if (kept === undefined) {
    kept = new KeptExpressions()
    byLists.set(lists, kept)
  }
  return kept
}

/** The filter; refuses what does not compile. */
export function filterOf(text: string, place: ExpressionPlace, lists: ListLookup): CompiledFilter {
  return compiledOnce(text, 'filter', place, lists, scheme => {
    const compiled = compile(text, scheme)
    return compiled.ok ? compiled : refuse(expressionInvalid(text, compiled.text, ''))
  })
}

/** The value expression; refuses what does not compile. */
export function valueExpressionOf(text: string, place: ExpressionPlace, lists: ListLookup): CompiledValue {
  return compiledOnce(text, 'value', place, lists, scheme => {
    const compiled = compileValue(text, scheme)
    return compiled.ok ? compiled : refuse(expressionInvalid(text, compiled.text, ''))
  })
}

/** @param kind says what is kept, so that a filter is not taken for a value */
function compiledOnce<T extends Compiled>(
  text: string,
  kind: 'filter' | 'value',
  place: ExpressionPlace,
  lists: ListLookup,
  make: (scheme: Scheme<RequestView>) => T,
): T {
  const kept = keptFor(text, lists)
  const key = `${kind} ${place.phase} ${place.use} ${text}`
  const known = kept.get(key) as T | undefined
  if (known !== undefined) return known
  const compiled = make(httpScheme(place, lists))
  kept.keep(key, compiled)
  return compiled
}

/** Does one of the fields need the request's body? */
export function namesBody(fields: ReadonlySet<string>): boolean {
  for (const name of fields) if (name.startsWith('http.request.body.')) return true
  return false
}
