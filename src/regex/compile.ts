import { backtrackMatch } from './backtrack.ts'
import { LazyDfa } from './lazy-dfa.ts'
import type { Matcher, RegexOptions, RegexOutcome } from './matcher.ts'
import { parsePattern } from './parse.ts'
import { pikeMatch } from './pike.ts'
import { type Automaton, AutomatonFault, buildAutomaton } from './program.ts'

/**
 * Compiles a pattern over byte strings. Parsing finds every mistake at once; tables are made when they are first
 * needed, so that loading hundreds of patterns is cheap.
 * @param source byte string
 */
export function compileRegex(source: string, options: RegexOptions): RegexOutcome {
  const parsed = parsePattern(source, options)
  if (!parsed.ok) return parsed
  try {
    const automaton = buildAutomaton(parsed.pattern)
    const matcher =
      automaton.regular && !looksAhead(automaton)
        ? new RegularMatcher(source, automaton)
        : new IrregularMatcher(source, automaton)
    return { ok: true, matcher }
  } catch (fault) {
    if (!(fault instanceof AutomatonFault)) throw fault
    return {
      ok: false,
      error: { code: fault.code, message: fault.message, offset: 0, length: source.length },
    }
  }
}

/** `\Z` asks whether a line feed is the last byte, which needs a byte of look-ahead. */
function looksAhead(automaton: Automaton): boolean {
  return automaton.code.some(
    instruction => instruction.op === 'assertion' && instruction.what === 'text-end-or-last-line-feed',
  )
}

class RegularMatcher implements Matcher {
  readonly source: string
  readonly groups: number
  readonly #automaton: Automaton
  #dfa: LazyDfa | undefined

  constructor(source: string, automaton: Automaton) {
    this.source = source
    this.groups = automaton.groups
    this.#automaton = automaton
  }

  test(input: string): boolean {
    this.#dfa ??= new LazyDfa(this.#automaton)
    return this.#dfa.test(input)
  }

  exec(input: string, from = 0): Int32Array | null {
    return this.test(input) ? pikeMatch(this.#automaton, input, from) : null
  }
}

class IrregularMatcher implements Matcher {
  readonly source: string
  readonly groups: number
  readonly #automaton: Automaton

  constructor(source: string, automaton: Automaton) {
    this.source = source
    this.groups = automaton.groups
    this.#automaton = automaton
  }

  test(input: string): boolean {
    return this.exec(input) !== null
  }

  exec(input: string, from = 0): Int32Array | null {
    return backtrackMatch(this.#automaton, input, from)
  }
}
