import { lowerCode } from '../kit/ascii.ts'

/**
 * The meaning of each word of a fixed list, looked up within a value, in any case and without a copy. The length and
 * the first and last byte exclude most other words.
 */
export class WordTable<T> {
  readonly #texts: readonly string[]
  readonly #meanings: readonly T[]
  readonly #missing: T
  readonly #lengthMax: number
  /** First word of each bucket, and the next word of each word; -1: none. */
  readonly #heads = new Int16Array(buckets).fill(-1)
  readonly #nexts: Int16Array

  /**
   * @param rows lower-case words, each once
   * @param missing the meaning of all others
   */
  constructor(rows: readonly (readonly [text: string, meaning: T])[], missing: T) {
    this.#texts = rows.map(([text]) => text)
    this.#meanings = rows.map(([, meaning]) => meaning)
    this.#missing = missing
    this.#lengthMax = Math.max(...this.#texts.map(text => text.length))
    this.#nexts = new Int16Array(rows.length)
    for (const [index, text] of this.#texts.entries()) {
      const bucket = bucketOf(text.charCodeAt(0), text.charCodeAt(text.length - 1), text.length)
      this.#nexts[index] = this.#heads[bucket]!
      this.#heads[bucket] = index
    }
  }

  find(value: string, start: number, end: number): T {
    const length = end - start
    if (length <= 0 || length > this.#lengthMax) return this.#missing
    let index = this.#heads[bucketOf(value.charCodeAt(start), value.charCodeAt(end - 1), length)]!
    for (; index >= 0; index = this.#nexts[index]!) {
      const text = this.#texts[index]!
      if (text.length === length && standsAt(value, start, text)) return this.#meanings[index]!
    }
    return this.#missing
  }
}

const buckets = 2048

/** Whether the value has a lower-case text at `start`, in any case. */
export function standsAt(value: string, start: number, text: string): boolean {
  if (start + text.length > value.length) return false
  for (let at = 0; at < text.length; at++) {
    if (lowerCode(value.charCodeAt(start + at)) !== text.charCodeAt(at)) return false
  }
  return true
}

function bucketOf(first: number, last: number, length: number): number {
  return ((first | 0x20) * 37 + (last | 0x20) * 5 + length * 61) & (buckets - 1)
}
