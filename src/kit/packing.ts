import { assert } from './assert.ts'
import { stringOfBytes } from './bytes.ts'

/**
 * Numbers, byte strings and arrays of both, one after another in 32-bit words. So a reader can hand out views of the
 * packed bytes instead of copies. The byte order is the machine's.
 */
export class PackWriter {
  #words = new Int32Array(1024)
  #bytes = new Uint8Array(this.#words.buffer)
  #length = 0

  /** Words written. */
  get length(): number {
    return this.#length
  }

  /** @param value a signed 32-bit integer */
  number(value: number): void {
    assert(value === (value | 0), 'packed numbers fit into 32 bits')
    this.#reserve(1)
    this.#words[this.#length++] = value
  }

  numbers(values: Int32Array): void {
    this.number(values.length)
    this.#reserve(values.length)
    this.#words.set(values, this.#length)
    this.#length += values.length
  }

  shorts(values: Uint16Array): void {
    this.bytes(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
  }

  bytes(values: Uint8Array): void {
    const words = wordsFor(values.length)
    this.number(values.length)
    this.#reserve(words)
    this.#bytes.set(values, this.#length * wordBytes)
    this.#length += words
  }

  /** @param text byte string */
  text(text: string): void {
    const values = new Uint8Array(text.length)
    for (let i = 0; i < text.length; i++) {
      assert(text.charCodeAt(i) <= 0xff, 'packed texts are byte strings')
      values[i] = text.charCodeAt(i)
    }
    this.bytes(values)
  }

  /** Copies the words of another writer, to be read or passed over as a whole. */
  block(other: PackWriter): void {
    this.numbers(other.written())
  }

  /** All words written so far. */
  written(): Int32Array {
    return this.#words.subarray(0, this.#length)
  }

  #reserve(words: number): void {
    if (this.#length + words <= this.#words.length) return
    const larger = new Int32Array(Math.max(2 * this.#words.length, this.#length + words))
    larger.set(this.written())
    this.#words = larger
    this.#bytes = new Uint8Array(larger.buffer)
  }
}

/** Reads in the order of writing. Throws a RangeError beyond the end. */
export class PackReader {
  readonly #words: Int32Array
  readonly #bytes: Uint8Array
  #at: number

  /** @param from index of the first word */
  constructor(
    words: Int32Array,
    from = 0,
    bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength),
  ) {
    this.#words = words
    this.#bytes = bytes
    this.#at = from
  }

  number(): number {
    return this.#words[this.#pass(1)]!
  }

  /** A view: do not write to it. */
  numbers(): Int32Array {
    const length = this.number()
    const start = this.#pass(length)
    return this.#words.subarray(start, start + length)
  }

  /** A view: do not write to it. */
  bytes(): Uint8Array {
    const length = this.number()
    const start = this.#pass(wordsFor(length)) * wordBytes
    return this.#bytes.subarray(start, start + length)
  }

  /** A view: do not write to it. */
  shorts(): Uint16Array {
    const { buffer, byteOffset, byteLength } = this.bytes()
    return new Uint16Array(buffer, byteOffset, byteLength / 2)
  }

  text(): string {
    return stringOfBytes(this.bytes())
  }

  /** A reader of a nested block, which this reader skips. */
  block(): PackReader {
    const length = this.number()
    return new PackReader(this.#words, this.#pass(length), this.#bytes)
  }

  /** @returns the index of the first skipped word */
  #pass(words: number): number {
    const start = this.#at
    if (words < 0 || start + words > this.#words.length) throw new RangeError('the packed data ends early')
    this.#at = start + words
    return start
  }
}

const wordBytes = 4

function wordsFor(bytes: number): number {
  return Math.ceil(bytes / wordBytes)
}
