import { isDigit, isSpace } from '../../kit/ascii.ts'
import { ByteSet } from '../byte-set.ts'
import { byteCost, isTelling, literalCost, rarestByte, rarestPiece } from './rarity.ts'

/** A condition on every match: it holds one of the literals, or one of the bytes. */
export interface Candidate {
  /** 2 to 8 bytes each, letters in lower case. May contain duplicates. */
  readonly literals: readonly string[]
  /** No letters and no digits. */
  readonly bytes: ByteSet | undefined
  /** Expected occurrences of the literals in 100 ordinary bytes … */
  readonly literalsCost: number
  /** … and of literals and bytes together. */
  readonly cost: number
}

/** Few candidates, best first: literals alone, bytes alone, both. */
export interface Candidates {
  readonly literals: readonly Candidate[]
  readonly bytes: readonly Candidate[]
  readonly mixed: readonly Candidate[]
}

export const noCandidates: Candidates = { literals: [], bytes: [], mixed: [] }

/** Literals of a candidate before reduction. */
const literalsConsidered = 1500
/** Candidates of a kind that are kept. */
const candidatesKept = 5
/** Literals with more expected occurrences in 100 bytes are not worth a search. */
const worthwhileCost = 0.8
/** Shortest literal that loses digits and blanks at its ends, because these vary a lot. */
const trimmedFromBytes = 4
/** This many literals that differ only in their last, or first, byte become one without it, unless it is too short. */
export const variantsOfStem = 4
export const shortestStemBytes = 3

/** Collects the candidates of one node. */
export class Gathered {
  #found: Candidate[] | undefined

  addAll({ literals, bytes, mixed }: Candidates): void {
    if (literals.length + bytes.length + mixed.length === 0) return
    this.#found ??= []
    this.#found.push(...literals, ...bytes, ...mixed)
  }

  add(candidate: Candidate | undefined): void {
    if (candidate === undefined) return
    this.#found ??= []
    this.#found.push(candidate)
  }

  /** Every match holds one of the texts, or one of the bytes. */
  addTexts(texts: readonly string[], bytes: ByteSet | undefined): void {
    if (isHopeless(texts)) return
    this.add(literalsCandidate(texts, bytes))
    this.add(tellingBytes(texts, bytes))
  }

  best(): Candidates {
    if (this.#found === undefined) return noCandidates
    const found = this.#found.sort((a, b) => a.cost - b.cost)
    return {
      literals: found.filter(({ bytes }) => bytes === undefined).slice(0, candidatesKept),
      bytes: found.filter(({ literals }) => literals.length === 0).slice(0, candidatesKept),
      mixed: found
        .filter(({ literals, bytes }) => bytes !== undefined && literals.length > 0)
        .slice(0, candidatesKept),
    }
  }
}

/** A condition on all items: it holds one candidate of each. */
export function eitherCandidate(items: readonly Candidates[]): Candidates {
  const gathered = new Gathered()
  gathered.add(union(items, ({ literals }) => literals[0]))
  gathered.add(union(items, ({ bytes }) => bytes[0]))
  gathered.add(union(items, cheapest))
  return gathered.best()
}

function cheapest({ literals, bytes, mixed }: Candidates): Candidate | undefined {
  let best = literals[0]
  for (const other of [mixed[0], bytes[0]])
    if (best === undefined || (other !== undefined && other.cost < best.cost)) best = other
  return best
}

function union(
  items: readonly Candidates[],
  pick: (item: Candidates) => Candidate | undefined,
): Candidate | undefined {
  const literals: string[] = []
  let literalsCost = 0
  let bytes: ByteSet | undefined
  for (const item of items) {
    const candidate = pick(item)
    if (candidate === undefined) return undefined
    literalsCost += candidate.literalsCost
    if (literalsCost > worthwhileCost || literals.length + candidate.literals.length > literalsConsidered)
      return undefined
    literals.push(...candidate.literals)
    bytes = bytes === undefined ? candidate.bytes : bytes.with(candidate.bytes)
  }
  return { literals, bytes, literalsCost, cost: literalsCost + (bytes === undefined ? 0 : costOf(bytes)) }
}

export function bytesCandidate(bytes: ByteSet): Candidate {
  return { literals: [], bytes, literalsCost: 0, cost: costOf(bytes) }
}

function costOf({ members }: ByteSet): number {
  let cost = 0
  for (let byte = members.indexOf(1); byte >= 0; byte = members.indexOf(1, byte + 1)) cost += byteCost(byte)
  return cost
}

/** One text is a letter or a digit, or empty: any input holds it. */
function isHopeless(texts: readonly string[]): boolean {
  for (const text of texts)
    if (text.length < 2 && (text === '' || !isTelling(text.charCodeAt(0)))) return true
  return false
}

function literalsCandidate(texts: readonly string[], bytes: ByteSet | undefined): Candidate | undefined {
  const pieces: string[] = []
  const singles: number[] = []
  for (const text of texts)
    if (text.length === 1) singles.push(text.charCodeAt(0))
    else pieces.push(rarestPiece(texts.length === 1 ? text : trimmed(text)))
  if (pieces.length === 0) return undefined
  if (singles.length > 0) bytes = ByteSet.of(singles).with(bytes)
  let literalsCost = 0
  for (const piece of pieces) literalsCost += literalCost(piece)
  if (literalsCost > worthwhileCost) return undefined
  return {
    literals: pieces,
    bytes,
    literalsCost,
    cost: literalsCost + (bytes === undefined ? 0 : costOf(bytes)),
  }
}

/** A telling byte of each text, and the given bytes; undefined if a text has none. */
function tellingBytes(texts: readonly string[], bytes: ByteSet | undefined): Candidate | undefined {
  const chosen: number[] = []
  for (const text of texts) {
    const byte = rarestByte(text, chosen)
    if (byte < 0) return undefined
    if (!chosen.includes(byte)) chosen.push(byte)
  }
  return bytesCandidate(ByteSet.of(chosen).with(bytes))
}

/** Blanks and single digits at the ends say little, and turn one literal into many. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (end - start > trimmedFromBytes && isWeak(text, start, start + 1)) start++
  while (end - start > trimmedFromBytes && isWeak(text, end - 1, end - 2)) end--
  return text.slice(start, end)
}

function isWeak(text: string, at: number, neighbour: number): boolean {
  const code = text.charCodeAt(at)
  return isSpace(code) || (isDigit(code) && !isDigit(text.charCodeAt(neighbour)))
}

/**
 * Reduces literals with little loss: no duplicates, stems instead of many with the same beginning or end, and no
 * literal that begins with another one or holds a single-byte literal.
 */
export function fewer(texts: readonly string[]): string[] {
  if (texts.length === 1) return [...texts]
  const merged = stems(
    stems(new Set(texts), text => text.slice(0, -1)),
    text => text.slice(1),
  )
  if (merged.size === 1) return [...merged]
  const lengths = new Set<number>()
  for (const text of merged) lengths.add(text.length)
  return [...merged].filter(text => !saysMore(text, merged, lengths))
}

/** @param lengths lengths of the texts */
function saysMore(text: string, texts: ReadonlySet<string>, lengths: ReadonlySet<number>): boolean {
  if (text.length === 1) return false
  for (const length of lengths) if (length < text.length && texts.has(text.slice(0, length))) return true
  if (lengths.has(1)) for (let at = 1; at < text.length; at++) if (texts.has(text.charAt(at))) return true
  return false
}

function stems(texts: ReadonlySet<string>, stemOf: (text: string) => string): ReadonlySet<string> {
  if (texts.size < 2 * variantsOfStem) return texts
  const counts = new Map<string, number>()
  for (const text of texts) {
    if (text.length <= shortestStemBytes) continue
    const stem = stemOf(text)
    counts.set(stem, (counts.get(stem) ?? 0) + 1)
  }
  const merged = new Set<string>()
  for (const text of texts) {
    const stem = stemOf(text)
    merged.add((counts.get(stem) ?? 0) >= variantsOfStem ? stem : text)
  }
  return merged
}
