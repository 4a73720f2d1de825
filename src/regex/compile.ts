import { regexLimits } from '../kit/limits.ts'
import type { Pattern } from './ast.ts'
import { BacktrackingSearch } from './backtrack.ts'
import { LazyDfa } from './lazy-dfa.ts'
import type { Matcher, RegexOptions, RegexOutcome } from './matcher.ts'
import { instructionCount } from './measure.ts'
import { parsePattern } from './parse.ts'
import { pikeMatch } from './pike.ts'
import { buildAutomaton } from './program.ts'
import { relaxedPattern } from './relax.ts'

/** What an automaton has besides the instructions of the pattern: two that save, one that matches. */
const instructionsAround = 3

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

type Search = (input: string, from: number) => Int32Array | null

class CompiledMatcher implements Matcher {
  readonly source: string
  readonly groups: number
  readonly #pattern: Pattern
  /** Is its answer the pattern's? Else only its "no" is. */
  readonly #dfaIsExact: boolean
  #dfa: LazyDfa | undefined
  #search: Search | undefined

  constructor(source: string, pattern: Pattern) {
    this.source = source
    this.groups = pattern.groups
    this.#pattern = pattern
    this.#dfaIsExact = !pattern.irregular && !pattern.lastLineFeed
  }

  test(input: string): boolean {
    return this.#mayMatch(input) && (this.#dfaIsExact || this.#find(input, 0) !== null)
  }

  exec(input: string, from = 0): Int32Array | null {
    return this.#mayMatch(input) ? this.#find(input, from) : null
  }

  #mayMatch(input: string): boolean {
    this.#dfa ??= new LazyDfa(
      buildAutomaton(this.#dfaIsExact ? this.#pattern : relaxedPattern(this.#pattern)),
    )
    return this.#dfa.test(input)
  }

  #find(input: string, from: number): Int32Array | null {
    this.#search ??= newSearch(this.#pattern)
    return this.#search(input, from)
  }
}

function newSearch(pattern: Pattern): Search {
  const automaton = buildAutomaton(pattern)
  if (!pattern.irregular) return (input, from) => pikeMatch(automaton, input, from)
  const search = new BacktrackingSearch(automaton)
  return (input, from) => search.exec(input, from)
}
