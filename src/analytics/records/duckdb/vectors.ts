import type { Vector } from '@duckdb/node-bindings'
import type { Value } from '../port.ts'
import type { ColumnType } from '../tables.ts'
import type { Bindings } from './load.ts'

type List = readonly string[] | readonly number[]

/** An entry of a text: its length in bytes, and the text itself or, if it is longer, its first four bytes and its address. */
const entryWords = 4
const inlineBytes = 12

/**
 * Fills vectors in the engine's own layout, which is little-endian on all processors of the package. Each value that is
 * handed over separately would cost a call. Buffers are kept for the next vector, except those of very long texts.
 */
export class VectorFiller {
  readonly #bindings: Bindings
  readonly #words: Uint32Array<ArrayBuffer>
  readonly #bytes = Buffer.allocUnsafeSlow(256 * 1024)

  constructor(bindings: Bindings) {
    this.#bindings = bindings
    this.#words = new Uint32Array(bindings.vector_size() * entryWords)
  }

  fill(vector: Vector, type: ColumnType, values: readonly Value[]): void {
    if (type === 'text' || type === 'json') this.#fillTexts(vector, values as readonly string[])
    else if (type === 'texts') this.#fillLists(vector, 'text', values as readonly List[])
    else if (type === 'ints') this.#fillLists(vector, 'int', values as readonly List[])
    else this.#write(vector, this.#numbers(type, values))
  }

  #numbers(
    type: 'int' | 'float' | 'bool' | 'ms' | 'ns',
    values: readonly Value[],
  ): NodeJS.TypedArray<ArrayBuffer> {
    switch (type) {
      case 'int':
        return this.#wholeNumbers(values as readonly number[], 1)
      case 'ms':
        return this.#wholeNumbers(values as readonly number[], 1000)
      case 'ns':
        return BigInt64Array.from(values as readonly bigint[])
      case 'float':
        return Float64Array.from(values as readonly number[])
      case 'bool':
        return Uint8Array.from(values, Number)
    }
  }

  /** An entry is the index of the first item among the items of all lists, and the number of items, in 64 bits each. */
  #fillLists(vector: Vector, type: 'text' | 'int', lists: readonly List[]): void {
    const words = this.#zeros(lists.length * entryWords)
    const items: (string | number)[] = []
    for (let row = 0; row < lists.length; row++) {
      const list = lists[row]!
      words[row * entryWords] = items.length
      words[row * entryWords + 2] = list.length
      for (const item of list) items.push(item)
    }
    this.#write(vector, words)
    this.#bindings.list_vector_reserve(vector, items.length)
    this.#bindings.list_vector_set_size(vector, items.length)
    if (items.length > 0) this.fill(this.#bindings.list_vector_get_child(vector), type, items)
  }

  #wholeNumbers(values: readonly number[], factor: number): Uint32Array<ArrayBuffer> {
    const words = this.#zeros(values.length * 2)
    for (let row = 0; row < values.length; row++) setWhole(words, row * 2, values[row]! * factor)
    return words
  }

  #fillTexts(vector: Vector, texts: readonly string[]): void {
    const words = this.#zeros(texts.length * entryWords)
    let bytes = this.#bytes
    let used = 0
    let [last, lastAt] = ['', 0]
    for (let row = 0; row < texts.length; row++) {
      const text = texts[row]!
      if (text === '') continue
      const at = row * entryWords
      if (text === last) {
        words.copyWithin(at, lastAt, lastAt + entryWords)
        continue
      }
      ;[last, lastAt] = [text, at]
      if (text.length <= inlineBytes && setAscii(words, at, text)) continue
      bytes = grownFor(bytes, used, text.length)
      const length = bytes.write(text, used)
      words[at] = length
      if (length > inlineBytes) {
        words[at + 1] = bytes.readUInt32LE(used)
        // The address follows when it is known.
        words[at + 2] = used
        used += length
      } else {
        const inside = new Uint8Array(words.buffer, (at + 1) * 4, length)
        inside.set(bytes.subarray(used, used + length))
      }
    }
    if (used > 0) this.#setAddresses(vector, words, bytes.subarray(0, used))
    this.#write(vector, words)
  }

  /** Hands over all long texts as one, which the vector copies and owns, and reads back where it is. */
  #setAddresses(vector: Vector, words: Uint32Array, texts: Uint8Array): void {
    this.#bindings.vector_assign_string_element_len(vector, 0, texts)
    const entry = this.#bindings.vector_get_data(vector, entryWords * 4)
    const start = Number(new DataView(entry.buffer, entry.byteOffset).getBigUint64(8, true))
    for (let at = 0; at < words.length; at += entryWords)
      if (words[at]! > inlineBytes) setWhole(words, at + 2, start + words[at + 2]!)
  }

  #zeros(count: number): Uint32Array<ArrayBuffer> {
    return count <= this.#words.length ? this.#words.subarray(0, count).fill(0) : new Uint32Array(count)
  }

  #write(vector: Vector, { buffer, byteOffset, byteLength }: NodeJS.TypedArray<ArrayBuffer>): void {
    this.#bindings.copy_data_to_vector(vector, 0, buffer, byteOffset, byteLength)
  }
}

/** A whole number of 64 bits, without a bigint. Its words keep the remainder of 2^32, as signed numbers have it too. */
function setWhole(words: Uint32Array, at: number, value: number): void {
  words[at] = value
  words[at + 1] = Math.floor(value / 2 ** 32)
}

/** @returns false when the text has other characters than those of ASCII */
function setAscii(words: Uint32Array, at: number, text: string): boolean {
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n)
    if (code > 0x7f) {
      words.fill(0, at, at + entryWords)
      return false
    }
    words[at + 1 + (n >> 2)]! |= code << ((n & 3) * 8)
  }
  words[at] = text.length
  return true
}

/** A character of a text has three bytes at most. */
function grownFor(bytes: Buffer<ArrayBuffer>, used: number, characters: number): Buffer<ArrayBuffer> {
  const needed = used + characters * 3
  if (needed <= bytes.length) return bytes
  const larger = Buffer.allocUnsafeSlow(2 * needed)
  larger.set(bytes.subarray(0, used))
  return larger
}
