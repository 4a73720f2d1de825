import { regexLimits } from '../kit/limits.ts'
import type { Pattern } from './ast.ts'
import { BacktrackingSearch } from './backtrack.ts'
import { LazyDfa } from './lazy-dfa.ts'
import type { Matcher, RegexOptions, RegexOutcome, Requirements } from './matcher.ts'
import { instructionCount } from './measure.ts'
import { parsePattern } from './parse.ts'
import { PikeSearch } from './pike.ts'
import { buildAutomaton, instructionsAround } from './program.ts'
import { relaxedPattern } from './relax.ts'
import { requirementsOf } from './requirements.ts'

/**
 * Compiles a pattern over byte strings. Parsing finds every mistake at once; automata and tables are made when they
 * are first needed, so that loading hundreds of patterns is cheap.
 * @param source byte string
 */
export function compileRegex(source: string, options: RegexOptions): RegexOutcome {
  const parsed = parsePattern(source, options)
  if (!parsed.ok) return parsed
  if (instructionCount(parsed.pattern.root) + instructionsAround > regexLimits.instructionsMax) {
    const message = `the pattern needs more than ${regexLimits.instructionsMax} states`
    return { ok: false, error: { code: 'too-large', message, offset: 0, length: source.length } }
  }
  return { ok: true, matcher: new CompiledMatcher(source, parsed.pattern) }
}

interface Search {
  exec(input: string, from: number): Int32Array | null
}

class CompiledMatcher implements Matcher {
  readonly source: string
  readonly groups: number
  readonly #pattern: Pattern
  /** Is its answer the pattern's? Else only its "no" is. */
  readonly #dfaIsExact: boolean
  #dfa: LazyDfa | undefined
  #search: Search | undefined
  #requirements: Requirements | undefined

  constructor(source: string, pattern: Pattern) {
    this.source = source
    this.groups = pattern.groups
    this.#pattern = pattern
    this.#dfaIsExact = !pattern.irregular && !pattern.lastLineFeed
  }

  get requirements(): Requirements {
    this.#requirements ??= requirementsOf(this.#pattern)
    return this.#requirements
  }

  test(input: string): boolean {
    const origin = this.#origin(input, 0)
    return origin >= 0 && (this.#dfaIsExact || this.#find(input, origin) !== null)
  }

  exec(input: string, from = 0): Int32Array | null {
    if (from > input.length) return null
    const origin = this.#origin(input, from)
    return origin < 0 ? null : this.#find(input, origin)
  }

  /** -1 when nothing matches; else a position before which no match begins. */
  #origin(input: string, from: number): number {
    return this.#automaton().search(input, from)
  }

  #automaton(): LazyDfa {
    this.#dfa ??= new LazyDfa(
      buildAutomaton(this.#dfaIsExact ? this.#pattern : relaxedPattern(this.#pattern)),
    )
    return this.#dfa
  }

  #find(input: string, from: number): Int32Array | null {
    this.#search ??= newSearch(this.#pattern, this.#automaton().begins)
    return this.#search.exec(input, from)
  }
}

function newSearch(pattern: Pattern, begins: Uint8Array): Search {
  const automaton = buildAutomaton(pattern)
  return pattern.irregular ? new BacktrackingSearch(automaton, begins) : new PikeSearch(automaton, begins)
}
