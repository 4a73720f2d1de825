import { assert } from '../kit/assert.ts'
import type { PackReader, PackWriter } from '../kit/packing.ts'
import { buildNfa, instructionsAround, type Nfa } from './automaton/nfa.ts'
import { packNfa, unpackNfa } from './automaton/packed-nfa.ts'
import { relaxedPattern } from './automaton/relax.ts'
import { regexLimits } from './limits.ts'
import type { Matcher, RegexOptions, RegexOutcome, Requirements } from './matcher.ts'
import { requirementsOf } from './requirements/requirements.ts'
import { BacktrackingSearch } from './search/backtrack.ts'
import { LazyDfa } from './search/lazy-dfa.ts'
import { PikeSearch } from './search/pike.ts'
import { ReverseSearch } from './search/reverse-search.ts'
import type { Pattern } from './syntax/ast.ts'
import { instructionCount } from './syntax/measure.ts'
import { parsePattern } from './syntax/parse.ts'

/**
 * Compiles a pattern over byte strings. Parsing finds every mistake at once. Automata and tables are built at first
 * use, so loading hundreds of patterns is cheap.
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
  assert(matcher instanceof CompiledMatcher, 'only a compiled matcher can be packed')
  matcher.pack(pack)
}

/**
 * Reads a matcher that `packMatcher` has written, without its requirements. It keeps using the packed bytes, and reads
 * most of them at first use.
 */
export function unpackMatcher(source: string, pack: PackReader): Matcher {
  return new CompiledMatcher(source, new PackedParts(pack))
}

interface Search {
  exec(input: string, from: number): Int32Array | null
  execInSlices(input: string, from: number): Generator<void, Int32Array | null, void>
}

/** The parts of a matcher. */
interface Parts {
  readonly groups: number
  readonly irregular: boolean
  /** Whether the answer of the finite automaton is exact. Else only its "no" is. */
  readonly isExact: boolean
  readonly requirements: Requirements
  /** Regular. */
  finite(): Nfa
  /** The whole pattern, for captures and for constructs beyond finite automata. */
  whole(): Nfa
}

class ParsedParts implements Parts {
  readonly groups: number
  readonly irregular: boolean
  readonly isExact: boolean
  readonly #pattern: Pattern
  #whole: Nfa | undefined
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

  finite(): Nfa {
    return this.isExact ? this.whole() : buildNfa(relaxedPattern(this.#pattern))
  }

  whole(): Nfa {
    this.#whole ??= buildNfa(this.#pattern)
    return this.#whole
  }
}

class PackedParts implements Parts {
  readonly groups: number
  readonly irregular: boolean
  readonly isExact: boolean
  readonly requirements: Requirements = []
  readonly #pack: PackReader
  #finite: Nfa | undefined
  #whole: Nfa | undefined

  constructor(pack: PackReader) {
    this.groups = pack.number()
    this.irregular = pack.number() === 1
    this.isExact = pack.number() === 1
    this.#pack = pack
  }

  finite(): Nfa {
    this.#finite ??= unpackNfa(this.#pack)
    return this.#finite
  }

  /** The finite automaton runs first. */
  whole(): Nfa {
    const finite = this.finite()
    this.#whole ??= this.isExact ? finite : unpackNfa(this.#pack)
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

  *testInSlices(input: string): Generator<void, boolean, void> {
    const origin = yield* this.#nfa().searchInSlices(input, 0)
    if (origin < 0 || this.#isExact) return origin >= 0
    return (yield* this.#searcher().execInSlices(input, origin)) !== null
  }

  exec(input: string, from = 0): Int32Array | null {
    if (from > input.length) return null
    const origin = this.#origin(input, from)
    return origin < 0 ? null : this.#find(input, origin)
  }

  *execInSlices(input: string, from = 0): Generator<void, Int32Array | null, void> {
    if (from > input.length) return null
    const origin = yield* this.#nfa().searchInSlices(input, from)
    return origin < 0 ? null : yield* this.#searcher().execInSlices(input, origin)
  }

  pack(pack: PackWriter): void {
    const { groups, irregular, isExact } = this.#parts
    pack.number(groups)
    pack.number(irregular ? 1 : 0)
    pack.number(isExact ? 1 : 0)
    packNfa(this.#parts.finite(), true, pack)
    if (!isExact) packNfa(this.#parts.whole(), false, pack)
  }

  /** -1 if nothing matches; else a position before which no match begins. */
  #origin(input: string, from: number): number {
    return this.#nfa().search(input, from)
  }

  #nfa(): LazyDfa {
    this.#dfa ??= new LazyDfa(this.#parts.finite())
    return this.#dfa
  }

  #find(input: string, from: number): Int32Array | null {
    return this.#searcher().exec(input, from)
  }

  #searcher(): Search {
    this.#search ??= newSearch(this.#parts, this.#nfa().begins)
    return this.#search
  }
}

function newSearch(parts: Parts, begins: Uint8Array): Search {
  const nfa = parts.whole()
  return parts.irregular ? new BacktrackingSearch(nfa, begins) : new RegularSearch(parts, begins)
}

/** In a long input, automata find the ends of a match. */
class RegularSearch implements Search {
  readonly #pike: PikeSearch
  readonly #parts: Parts
  readonly #begins: Uint8Array

  constructor(parts: Parts, begins: Uint8Array) {
    this.#parts = parts
    this.#begins = begins
    this.#pike = new PikeSearch(parts.whole(), begins)
  }

  exec(input: string, from: number): Int32Array | null {
    if (input.length - from < longFrom) return this.#pike.exec(input, from)
    const search = this.execInSlices(input, from)
    for (;;) {
      const { done, value } = search.next()
      if (done === true) return value
    }
  }

  *execInSlices(input: string, from: number): Generator<void, Int32Array | null, void> {
    const nfa = this.#parts.whole()
    if (this.#parts.isExact) {
      const soon = this.#pike.exec(input, from, pikeWork)
      if (soon !== undefined) return soon
      const found = yield* reverseSearchOf(nfa).execInSlices(input, from)
      if (found !== undefined) return found
    }
    // A separate object: others may search in a pause.
    return yield* new PikeSearch(nfa, this.#begins).execInSlices(input, from)
  }
}

const longFrom = 4096
/** Instructions within which most matches are found. */
const pikeWork = 50_000

/** Only the last one is kept, because matches in long inputs are few. */
let reverseSearch: { readonly nfa: Nfa; readonly search: ReverseSearch } | undefined

function reverseSearchOf(nfa: Nfa): ReverseSearch {
  if (reverseSearch?.nfa !== nfa) reverseSearch = { nfa, search: new ReverseSearch(nfa) }
  return reverseSearch.search
}
