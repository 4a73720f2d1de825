import {
  compile,
  compileValue,
  type ExpressionType,
  type Predicate,
  type Scheme,
  type Value,
} from '../../expressions/index.ts'
import type { ExpressionContext } from '../fields/expression-context.ts'
import { httpScheme } from '../fields/http-scheme.ts'
import type { RequestView } from '../fields/request-view.ts'
import { planLimits } from '../limits.ts'
import { expressionInvalid } from '../problems.ts'
import { refuse } from '../reading.ts'
import type { ListLookup } from './plan.ts'

/** A compiled filter. */
export interface CompiledFilter {
  readonly test: Predicate<RequestView>
  readonly fields: ReadonlySet<string>
}

export interface CompiledValue {
  readonly type: ExpressionType
  readonly read: (view: RequestView) => Value
  readonly fields: ReadonlySet<string>
}

type Compiled = CompiledFilter | CompiledValue

/**
 * Compiled expressions by context and text. Thousands of zones have the same rules, and a change of one zone leaves
 * most expressions unchanged. An entry lives as long as a plan uses it, because its automata may take half a
 * megabyte. Expressions that name a list are kept for each account separately.
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

/** A plan's reference to a compiled expression. */
type Run = CompiledFilter['test'] | CompiledValue['read']

/** Data that is derived with the closure lives as long as the closure. */
const byRun = new WeakMap<Run, Compiled>()

const withoutLists = new KeptExpressions()
const byLists = new WeakMap<ListLookup, KeptExpressions>()

/** A list name follows a dollar sign; a dollar sign in a string is harmless. */
function keptFor(text: string, lists: ListLookup): KeptExpressions {
  if (!text.includes('$')) return withoutLists
  let kept = byLists.get(lists)
  if (kept === undefined) {
    kept = new KeptExpressions()
    byLists.set(lists, kept)
  }
  return kept
}

/** Compiles a filter; refuses one with errors. */
export function filterOf(text: string, context: ExpressionContext, lists: ListLookup): CompiledFilter {
  return compiledOnce(text, 'filter', context, lists, scheme => {
    const compiled = compile(text, scheme)
    return compiled.ok ? compiled : refuse(expressionInvalid(text, compiled.text, ''))
  })
}

/** Compiles a value expression; refuses one with errors. */
export function valueExpressionOf(
  text: string,
  context: ExpressionContext,
  lists: ListLookup,
): CompiledValue {
  return compiledOnce(text, 'value', context, lists, scheme => {
    const compiled = compileValue(text, scheme)
    return compiled.ok ? compiled : refuse(expressionInvalid(text, compiled.text, ''))
  })
}

/** @param kind part of the key, so that a filter is not mistaken for a value */
function compiledOnce<T extends Compiled>(
  text: string,
  kind: 'filter' | 'value',
  context: ExpressionContext,
  lists: ListLookup,
  make: (scheme: Scheme<RequestView>) => T,
): T {
  const kept = keptFor(text, lists)
  const key = `${kind} ${context.phase} ${context.use} ${text}`
  const known = kept.get(key) as T | undefined
  if (known !== undefined) return known
  const compiled = make(httpScheme(context, lists))
  kept.keep(key, compiled)
  return compiled
}
