import { assert } from '../kit/assert.ts'
import { regexLimits } from '../kit/limits.ts'
import type { PackReader, PackWriter } from '../kit/packing.ts'
import type { Pattern } from './ast.ts'
import { BacktrackingSearch } from './backtrack.ts'
import { LazyDfa } from './lazy-dfa.ts'
import type { Matcher, RegexOptions, RegexOutcome, Requirements } from './matcher.ts'
import { instructionCount } from './measure.ts'
import { packAutomaton, unpackAutomaton } from './packed-automaton.ts'
import { parsePattern } from './parse.ts'
import { PikeSearch } from './pike.ts'
import { type Automaton, buildAutomaton, instructionsAround } from './program.ts'
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
  const most = options.dialect === 'rust' ? regexLimits.ruleInstructionsMax : regexLimits.instructionsMax
  if (instructionsOf(parsed.pattern) > most) {
    const message = `the pattern needs more than ${most} states`
    return { ok: false, error: { code: 'too-large', message, offset: 0, length: source.length } }
  }
  return { ok: true, matcher: new CompiledMatcher(source, new ParsedParts(parsed.pattern)) }
}

/** Of the larger of its automata. */
function instructionsOf(pattern: Pattern): number {
  const whole = instructionCount(pattern.root)
  const finite = isExact(pattern) ? whole : instructionCount(relaxedPattern(pattern).root)
  return Math.max(whole, finite) + instructionsAround
}

function isExact(pattern: Pattern): boolean {
  return !pattern.irregular && !pattern.lastLineFeed
}

/** Writes the automata of a matcher that `compileRegex` has made. */
export function packMatcher(matcher: Matcher, pack: PackWriter): void {
  assert(matcher instanceof CompiledMatcher, 'what is packed was compiled here')
  matcher.pack(pack)
}

/**
 * The matcher that `packMatcher` has written, without its requirements. It goes on using the packed bytes, and reads
 * most of them when it is first asked.
 */
export function unpackMatcher(source: string, pack: PackReader): Matcher {
  return new CompiledMatcher(source, new PackedParts(pack))
}

interface Search {
  exec(input: string, from: number): Int32Array | null
}

/** What a matcher is made from. */
interface Parts {
  readonly groups: number
  readonly irregular: boolean
  /** Is the answer of the finite automaton the pattern's? Else only its "no" is. */
  readonly isExact: boolean
  readonly requirements: Requirements
  /** Regular. */
  finite(): Automaton
  /** The whole pattern, for captures and for what is beyond finite automata. */
  whole(): Automaton
}

class ParsedParts implements Parts {
  readonly groups: number
  readonly irregular: boolean
  readonly isExact: boolean
  readonly #pattern: Pattern
  #whole: Automaton | undefined
  #requirements: Requirements | undefined

  constructor(pattern: Pattern) {
    this.groups = pattern.groups
    this.irregular = pattern.irregular
    this.isExact = isExact(pattern)
    this.#pattern = pattern
  }

  get requirements(): Requirements {
    this.#requirements ??= requirementsOf(this.#pattern)
    return this.#requirements
  }

  finite(): Automaton {
    return this.isExact ? this.whole() : buildAutomaton(relaxedPattern(this.#pattern))
  }

  whole(): Automaton {
    this.#whole ??= buildAutomaton(this.#pattern)
    return this.#whole
  }
}

class PackedParts implements Parts {
  readonly groups: number
  readonly irregular: boolean
  readonly isExact: boolean
  readonly requirements: Requirements = []
  readonly #pack: PackReader
  #finite: Automaton | undefined
  #whole: Automaton | undefined

  constructor(pack: PackReader) {
    this.groups = pack.number()
    this.irregular = pack.number() === 1
    this.isExact = pack.number() === 1
    this.#pack = pack
  }

  finite(): Automaton {
    this.#finite ??= unpackAutomaton(this.#pack)
    return this.#finite
  }

  /** The finite automaton stands before it. */
  whole(): Automaton {
    const finite = this.finite()
    this.#whole ??= this.isExact ? finite : unpackAutomaton(this.#pack)
    return this.#whole
  }
}

class CompiledMatcher implements Matcher {
  readonly source: string
  readonly groups: number
  readonly #parts: Parts
  readonly #isExact: boolean
  #dfa: LazyDfa | undefined
  #search: Search | undefined

  constructor(source: string, parts: Parts) {
    this.source = source
    this.groups = parts.groups
    this.#parts = parts
    this.#isExact = parts.isExact
  }

  get requirements(): Requirements {
    return this.#parts.requirements
  }

  test(input: string): boolean {
    const origin = this.#origin(input, 0)
    return origin >= 0 && (this.#isExact || this.#find(input, origin) !== null)
  }

  exec(input: string, from = 0): Int32Array | null {
    if (from > input.length) return null
    const origin = this.#origin(input, from)
    return origin < 0 ? null : this.#find(input, origin)
  }

  pack(pack: PackWriter): void {
    const { groups, irregular, isExact } = this.#parts
    pack.number(groups)
    pack.number(irregular ? 1 : 0)
    pack.number(isExact ? 1 : 0)
    packAutomaton(this.#parts.finite(), true, pack)
    if (!isExact) packAutomaton(this.#parts.whole(), false, pack)
  }

  /** -1 when nothing matches; else a position before which no match begins. */
  #origin(input: string, from: number): number {
    return this.#automaton().search(input, from)
  }

  #automaton(): LazyDfa {
    this.#dfa ??= new LazyDfa(this.#parts.finite())
    return this.#dfa
  }

  #find(input: string, from: number): Int32Array | null {
    this.#search ??= newSearch(this.#parts, this.#automaton().begins)
    return this.#search.exec(input, from)
  }
}

function newSearch(parts: Parts, begins: Uint8Array): Search {
  const automaton = parts.whole()
  return parts.irregular ? new BacktrackingSearch(automaton, begins) : new PikeSearch(automaton, begins)
}
