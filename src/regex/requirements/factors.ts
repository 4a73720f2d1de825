import type { ByteSet } from '../byte-set.ts'
import type { Node } from '../syntax/ast.ts'
import {
  bytesCandidate,
  type Candidates,
  eitherCandidate,
  Gathered,
  noCandidates,
  shortestStemBytes,
  variantsOfStem,
} from './candidates.ts'
import { isTelling } from './rarity.ts'

/**
 * Facts about the texts that a node matches, letters in lower case. Lists may hold texts that it does not match; they
 * miss none. Look-around and assertions match the empty text here.
 */
interface Factors {
  /** All texts; undefined if there are too many. */
  readonly exact: readonly string[] | undefined
  /** Each text begins with one of these … */
  readonly prefixes: readonly string[]
  /** … and ends with one of these. */
  readonly suffixes: readonly string[]
  /** The three lists hold for texts without these bytes: an optional part that needs one of them was left out. */
  readonly gaps: ByteSet | undefined
  /** Candidates other than those from the exact texts. */
  readonly candidates: Candidates
}

/** Limit of texts in one list; longer lists are shortened or given up. */
const textsOfList = 128
/** Lists beyond this length do not get short by cutting texts while these still say something. */
const hopelessTexts = 512
/** Bytes of one text of a list; longer ones are cut. */
const textBytes = 24
/** Members of a set that are considered one by one. */
const setTexts = 16
/** Turns of a repetition that are followed one by one. */
const turnsFollowed = 8
/** An optional part is left out if it needs a byte with at most this many expected occurrences in 100. */
const gapCost = 4

const emptyText: Factors = {
  exact: [''],
  prefixes: [''],
  suffixes: [''],
  gaps: undefined,
  candidates: noCandidates,
}
const anyText: Factors = { ...emptyText, exact: undefined }

/**
 * Conditions that every match of a node meets. O(size of the tree), with the constants above.
 * @param leavesGaps treats optional parts as absent where they need rare bytes, and adds these bytes to the condition:
 * `c["']*d` holds `cd` or a quote
 */
export function candidatesOf(node: Node, leavesGaps: boolean): Candidates {
  return complete(new Analysis(leavesGaps).factors(node)).candidates
}

class Analysis {
  readonly #leavesGaps: boolean
  /** For nodes with children; patterns share repeated parts. */
  readonly #known = new Map<Node, Factors>()

  constructor(leavesGaps: boolean) {
    this.#leavesGaps = leavesGaps
  }

  factors(node: Node): Factors {
    if (node.kind === 'set') return setFactors(node.set)
    let factors = this.#known.get(node)
    if (factors === undefined) {
      factors = this.#newFactors(node)
      this.#known.set(node, factors)
    }
    return factors
  }

  #newFactors(node: Exclude<Node, { kind: 'set' }>): Factors {
    switch (node.kind) {
      case 'empty':
      case 'assertion':
        return emptyText
      case 'next':
        return nextFactors(node)
      case 'concat':
        return this.#concatenated(node.items)
      case 'alternatives':
        return eitherOf(node.items.map(item => this.factors(item)))
      case 'repeat':
        return this.#repeated(node)
      case 'group':
      case 'atomic':
        return this.factors(node.item)
      case 'look':
        return this.#looked(node)
      case 'backreference':
        return anyText
    }
  }

  #concatenated(items: readonly Node[]): Factors {
    const row = new Row()
    let plain = ''
    for (const item of items) {
      const factors = this.factors(item)
      if (item.kind === 'set' && factors.exact?.length === 1) {
        plain += factors.exact[0]!
        continue
      }
      if (plain !== '') row.add(exactly([plain]))
      plain = ''
      row.add(factors)
    }
    if (plain !== '') row.add(exactly([plain]))
    return row.result()
  }

  /** A match of a positive look-around is also in the text, at any position. */
  #looked({ negative, branches }: Extract<Node, { kind: 'look' }>): Factors {
    if (negative) return emptyText
    const { candidates } = complete(eitherOf(branches.map(branch => this.factors(branch.item))))
    return { ...emptyText, candidates }
  }

  #repeated({ item, min, max }: Extract<Node, { kind: 'repeat' }>): Factors {
    if (min === 0) return this.#optional(item, max)
    const turn = this.factors(item)
    const turns = Math.min(min, turnsFollowed)
    if (turns === 1) return { ...complete(turn), exact: undefined, ...endsOf(turn) }
    const row = new Row()
    for (let count = 0; count < turns; count++) row.add(turn)
    const result = row.result()
    return max === turns ? result : { ...complete(result), exact: undefined, ...endsOf(result) }
  }

  #optional(item: Node, max: number): Factors {
    if (!this.#leavesGaps && max > 1) return anyText
    const turn = this.factors(item)
    if (this.#leavesGaps) {
      const needed = complete(turn).candidates.bytes[0]
      if (needed !== undefined && needed.cost <= gapCost) return { ...emptyText, gaps: needed.bytes }
    }
    if (max > 1 || turn.exact === undefined || turn.exact.length >= textsOfList) return anyText
    return { ...emptyText, exact: distinct([...turn.exact, '']), gaps: turn.gaps }
  }
}

/** As a look-ahead of one set. */
function nextFactors({ set, negative }: Extract<Node, { kind: 'next' }>): Factors {
  return negative ? emptyText : { ...emptyText, candidates: complete(setFactors(set)).candidates }
}

const ofSets = new WeakMap<ByteSet, Factors>()

function setFactors(set: ByteSet): Factors {
  let factors = ofSets.get(set)
  if (factors === undefined) {
    factors = newSetFactors(set)
    ofSets.set(set, factors)
  }
  return factors
}

function newSetFactors(set: ByteSet): Factors {
  const { members } = set
  const texts: string[] = []
  let telling = true
  for (let byte = members.indexOf(1); byte >= 0; byte = members.indexOf(1, byte + 1)) {
    telling &&= isTelling(byte)
    const isUpper = byte >= 0x41 && byte <= 0x5a
    if (!isUpper || !set.has(byte | 0x20)) texts.push(String.fromCharCode(isUpper ? byte | 0x20 : byte))
    if (!telling && texts.length > setTexts) return anyText
  }
  if (texts.length > setTexts)
    return { ...anyText, candidates: { ...noCandidates, bytes: [bytesCandidate(set)] } }
  return exactly(texts)
}

function exactly(texts: readonly string[]): Factors {
  return { exact: texts, prefixes: texts, suffixes: texts, gaps: undefined, candidates: noCandidates }
}

/** Concatenation: texts are multiplied out while there are few. */
class Row {
  readonly #gathered = new Gathered()
  #prefixes: readonly string[] | undefined
  /** Gaps for the prefixes, and gaps for the tail. */
  #prefixGaps: ByteSet | undefined
  #gaps: ByteSet | undefined
  /** Ends of the texts so far; complete texts until there are prefixes. */
  #tail: readonly string[] = ['']

  add(item: Factors): void {
    this.#gathered.addAll(item.candidates)
    // Before the gaps grow, the facts without them are kept.
    if (item.gaps !== undefined && either(this.#gaps, item.gaps) !== this.#gaps)
      this.#gathered.addTexts(this.#tail, this.#gaps)
    const before = this.#gaps
    this.#gaps = either(before, item.gaps)
    const joined = this.#endsBefore(item) ? undefined : product(this.#tail, item.exact ?? item.prefixes)
    if (joined !== undefined && item.exact !== undefined) {
      this.#tail = joined
      return
    }
    if (joined !== undefined) this.#gathered.addTexts(joined, this.#gaps)
    else this.#gathered.addTexts(this.#tail, before)
    if (this.#prefixes === undefined) {
      this.#prefixes = shortened(joined ?? this.#tail, startOf)
      this.#prefixGaps = this.#gaps
    }
    if (item.exact === undefined) {
      this.#tail = item.suffixes
      this.#gaps = item.gaps
    } else this.#tail = this.#endsBefore(item) ? item.exact : joinedEnds(this.#tail, item.exact)
  }

  /** A class after sufficient texts would multiply each of them. */
  #endsBefore({ exact }: Factors): boolean {
    return (
      exact !== undefined &&
      exact.length >= variantsOfStem &&
      this.#tail.every(text => text.length >= shortestStemBytes) &&
      exact.every(text => text.length === 1)
    )
  }

  result(): Factors {
    const whole = this.#prefixes === undefined
    // An empty end says nothing, and makes the others say nothing.
    const tail = !whole && this.#tail.includes('') ? [''] : this.#tail
    if (!whole) this.#gathered.addTexts(tail, this.#gaps)
    return {
      exact: whole ? tail : undefined,
      prefixes: this.#prefixes ?? tail,
      suffixes: tail,
      gaps: either(this.#prefixGaps, this.#gaps),
      candidates: this.#gathered.best(),
    }
  }
}

function eitherOf(items: readonly Factors[]): Factors {
  let gaps: ByteSet | undefined
  for (const item of items) gaps = either(gaps, item.gaps)
  const exact = allTexts(items)
  if (exact !== undefined) return { exact, prefixes: exact, suffixes: exact, gaps, candidates: noCandidates }
  const candidates = eitherCandidate(items.map(item => complete(item).candidates))
  return {
    exact: undefined,
    prefixes: ends(items, ({ exact, prefixes }) => exact ?? prefixes, startOf),
    suffixes: ends(items, ({ exact, suffixes }) => exact ?? suffixes, endOf),
    gaps,
    candidates,
  }
}

function allTexts(items: readonly Factors[]): readonly string[] | undefined {
  let count = 0
  for (const { exact } of items) {
    if (exact === undefined) return undefined
    count += exact.length
  }
  return count > textsOfList ? undefined : items.flatMap(item => item.exact!)
}

function ends(
  items: readonly Factors[],
  textsOf: (item: Factors) => readonly string[],
  piece: typeof startOf,
): readonly string[] {
  const all: string[] = []
  for (const item of items) {
    const texts = textsOf(item)
    if (texts.includes('')) return ['']
    all.push(...texts)
  }
  return shortened(all, piece)
}

/** With the candidates from the exact texts. */
function complete(factors: Factors): Factors {
  if (factors.exact === undefined || factors === emptyText) return factors
  const gathered = new Gathered()
  gathered.addAll(factors.candidates)
  gathered.addTexts(factors.exact, factors.gaps)
  return { ...factors, candidates: gathered.best() }
}

function endsOf({ exact, prefixes, suffixes }: Factors): Pick<Factors, 'prefixes' | 'suffixes'> {
  return { prefixes: shortened(exact ?? prefixes, startOf), suffixes: shortened(exact ?? suffixes, endOf) }
}

function either(one: ByteSet | undefined, other: ByteSet | undefined): ByteSet | undefined {
  return one === undefined ? other : one.with(other)
}

/** Ends of the previous texts and the exact texts after them, if there are too many altogether. */
function joinedEnds(before: readonly string[], exact: readonly string[]): readonly string[] {
  for (const length of [4, 2, 1]) {
    const joined = product(distinct(before.map(text => endOf(text, length))), exact)
    if (joined !== undefined) return joined
  }
  return shortened(exact, endOf)
}

/** Every text of one list before every text of the other; undefined if they are too many or too long. */
function product(first: readonly string[], second: readonly string[]): readonly string[] | undefined {
  if (second.length === 1 && second[0] === '') return first
  if (first.length === 1 && first[0] === '') return second
  if (first.length * second.length > textsOfList) return undefined
  const joined: string[] = []
  for (const start of first)
    for (const end of second) {
      if (start.length + end.length > textBytes) return undefined
      joined.push(start + end)
    }
  return joined
}

function startOf(text: string, length: number): string {
  return text.slice(0, length)
}

function endOf(text: string, length: number): string {
  return text.length <= length ? text : text.slice(text.length - length)
}

/** Starts, or ends, of texts, as long as possible without being too many. */
function shortened(texts: readonly string[], piece: typeof startOf): readonly string[] {
  if (texts.length <= textsOfList / 2) return texts.includes('') ? [''] : texts
  if (texts.length > hopelessTexts) return ['']
  for (const length of [3, 1]) {
    const pieces = new Set<string>()
    for (const text of texts) pieces.add(piece(text, length))
    if (pieces.has('')) return ['']
    if (pieces.size <= textsOfList / 2) return [...pieces]
  }
  return ['']
}

function distinct(texts: readonly string[]): readonly string[] {
  return texts.length < 2 ? texts : [...new Set(texts)]
}
