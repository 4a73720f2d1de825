import { lowerCode } from '../../kit/ascii.ts'
import { stringOfBytes } from '../../kit/bytes.ts'
import type { PackReader, PackWriter } from '../../kit/packing.ts'
import { wafLimits } from '../limits.ts'
import { foldCase } from './literals.ts'

/**
 * Aho–Corasick over ASCII-case-folded bytes. States are numbered level by level, so the children of a state are
 * consecutive and one array of first children describes the whole trie: 13 bytes a state. Building: O(bytes of the
 * phrases, sorted). Searching: amortised constant work for each byte of the value.
 */
export class PhraseSet {
  /** In their original spelling. */
  readonly #phrases: Phrases
  /** Children of state s: `#firstChild[s]` up to, not including, `#firstChild[s + 1]`. */
  readonly #firstChild: Int32Array
  /** The byte that leads into a state, ascending among the children of one state. */
  readonly #label: Uint8Array
  /** Longest proper suffix that is a state, too. */
  readonly #suffix: Int32Array
  /** 1 + the longest phrase that ends in a state, 0 without one. */
  readonly #found: Int32Array
  /** Child of the root by byte, folded; 0 without one. */
  readonly #root: Int32Array

  /** @param phrases byte strings, none empty */
  static of(phrases: readonly string[]): PhraseSet {
    const { firstChild, label, found } = buildTrie(phrases)
    const suffix = new Int32Array(label.length)
    const set = new PhraseSet(packed(phrases), firstChild, label, suffix, found)
    set.#linkSuffixes()
    return set
  }

  /** Reads a set that `pack` has written; it keeps using the packed bytes. */
  static unpack(pack: PackReader): PhraseSet {
    const phrases = { bytes: pack.bytes(), ends: pack.numbers() }
    return new PhraseSet(phrases, pack.numbers(), pack.bytes(), pack.numbers(), pack.numbers())
  }

  private constructor(
    phrases: Phrases,
    firstChild: Int32Array,
    label: Uint8Array,
    suffix: Int32Array,
    found: Int32Array,
  ) {
    this.#phrases = phrases
    this.#firstChild = firstChild
    this.#label = label
    this.#suffix = suffix
    this.#found = found
    this.#root = new Int32Array(256)
    for (let child = firstChild[0]!; child < firstChild[1]!; child++) this.#root[label[child]!] = child
    for (let upper = 0x41; upper <= 0x5a; upper++) this.#root[upper] = this.#root[upper + 0x20]!
  }

  pack(pack: PackWriter): void {
    pack.bytes(this.#phrases.bytes)
    pack.numbers(this.#phrases.ends)
    pack.numbers(this.#firstChild)
    pack.bytes(this.#label)
    pack.numbers(this.#suffix)
    pack.numbers(this.#found)
  }

  /**
   * The phrase that ends first in the value (the longest of several), in its original spelling; undefined without one.
   */
  search(value: string): string | undefined {
    const outcome = this.#goOn(value, 0, value.length, 0)
    return outcome < 0 ? this.#phrase(outcome) : undefined
  }

  /** The same for a long value, with pauses. */
  *searchInSlices(value: string): Generator<void, string | undefined, void> {
    const { sliceBytes } = wafLimits
    let state = 0
    for (let from = 0; from < value.length; from += sliceBytes) {
      if (from > 0) yield
      state = this.#goOn(value, from, Math.min(from + sliceBytes, value.length), state)
      if (state < 0) return this.#phrase(state)
    }
    return undefined
  }

  /** @returns the state at the end of the part; below 0 for a phrase */
  #goOn(value: string, from: number, to: number, start: number): number {
    let state = start
    for (let i = from; i < to; i++) {
      const code = value.charCodeAt(i)
      state = state === 0 ? this.#root[code]! : this.#next(state, lowerCode(code))
      const found = this.#found[state]!
      if (found > 0) return -found
    }
    return state
  }

  /** @param outcome of `#goOn` */
  #phrase(outcome: number): string {
    const { bytes, ends } = this.#phrases
    const number = -outcome - 1
    return stringOfBytes(bytes.subarray(number === 0 ? 0 : ends[number - 1]!, ends[number]!))
  }

  #next(from: number, code: number): number {
    for (let state = from; state !== 0; state = this.#suffix[state]!) {
      const child = this.#child(state, code)
      if (child !== 0) return child
    }
    return this.#root[code]!
  }

  /** Most states have one child; wide ones are bisected. */
  #child(state: number, code: number): number {
    let low = this.#firstChild[state]!
    let high = this.#firstChild[state + 1]!
    while (high - low > 8) {
      const middle = (low + high) >> 1
      if (this.#label[middle]! <= code) low = middle
      else high = middle
    }
    for (; low < high; low++) if (this.#label[low] === code) return low
    return 0
  }

  /** Level by level: a suffix is shorter than its state, hence processed earlier. */
  #linkSuffixes(): void {
    for (let state = 0; state < this.#label.length; state++) {
      for (let child = this.#firstChild[state]!; child < this.#firstChild[state + 1]!; child++) {
        const suffix = state === 0 ? 0 : this.#next(this.#suffix[state]!, this.#label[child]!)
        this.#suffix[child] = suffix
        if (this.#found[child] === 0) this.#found[child] = this.#found[suffix]!
      }
    }
  }
}

/** One after another. */
interface Phrases {
  readonly bytes: Uint8Array
  readonly ends: Int32Array
}

function packed(phrases: readonly string[]): Phrases {
  const ends = new Int32Array(phrases.length)
  let end = 0
  for (const [number, phrase] of phrases.entries()) ends[number] = end += phrase.length
  const all = phrases.join('')
  return { bytes: Uint8Array.from({ length: all.length }, (_, at) => all.charCodeAt(at)), ends }
}

interface Trie {
  readonly firstChild: Int32Array
  readonly label: Uint8Array
  readonly found: Int32Array
}

/** A phrase that begins with another one is never reported, so its states end with the other one. */
function buildTrie(phrases: readonly string[]): Trie {
  const folded = phrases.map(foldCase)
  const order = folded.map((_, i) => i).sort((a, b) => compare(folded[a]!, folded[b]!))
  const statesMax = folded.reduce((sum, phrase) => sum + phrase.length, 1)
  const firstChild = new Int32Array(statesMax + 1)
  const label = new Uint8Array(statesMax)
  const found = new Int32Array(statesMax)
  // The phrases below a state: a run of `order`.
  const runStart = new Int32Array(statesMax)
  const runEnd = new Int32Array(statesMax)
  runEnd[0] = order.length
  let states = 1
  let levelEnd = 1
  let depth = 0
  for (let state = 0; state < states; state++) {
    if (state === levelEnd) {
      levelEnd = states
      depth++
    }
    firstChild[state] = states
    const first = order[runStart[state]!]
    if (first === undefined) break
    if (folded[first]!.length === depth) {
      found[state] = first + 1
      continue
    }
    for (let i = runStart[state]!; i < runEnd[state]!; ) {
      const code = folded[order[i]!]!.charCodeAt(depth)
      runStart[states] = i
      while (i < runEnd[state]! && folded[order[i]!]!.charCodeAt(depth) === code) i++
      runEnd[states] = i
      label[states++] = code
    }
  }
  firstChild[states] = states
  return {
    firstChild: firstChild.slice(0, states + 1),
    label: label.slice(0, states),
    found: found.slice(0, states),
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
