import type { ByteSet } from '../byte-set.ts'
import { neighbourOf } from './context.ts'

/** Byte → class, and a sample byte of each class. */
export interface ByteClasses {
  readonly classes: Uint8Array
  readonly samples: readonly number[]
}

/**
 * Splits the bytes into classes whose members no set distinguishes, nor any assertion if `neighbours` is set. O(256 ·
 * sets of more than two bytes).
 */
export function byteClasses(sets: readonly ByteSet[], neighbours: boolean): ByteClasses {
  const partition = new Partition()
  if (neighbours) partition.refine(neighbourOf)
  for (const set of sets) {
    const few = set.few()
    if (few === undefined) partition.refine(set.members)
    else partition.separate(few)
  }
  return partition.result()
}

class Partition {
  readonly #classes = new Uint8Array(256)
  readonly #sizes = new Uint16Array(256)
  /** Class and kind → new class plus one; 0 for none yet. */
  readonly #numbers = new Uint16Array(4 * 256)
  #count = 1

  constructor() {
    this.#sizes[0] = 256
  }

  /** @param kinds by byte: bytes of different kinds (0–3) get different classes */
  refine(kinds: Uint8Array): void {
    if (this.#count === 256) return
    const classes = this.#classes
    const numbers = this.#numbers.fill(0)
    const sizes = this.#sizes.fill(0)
    let count = 0
    for (let byte = 0; byte < 256; byte++) {
      const pair = classes[byte]! * 4 + kinds[byte]!
      if (numbers[pair] === 0) numbers[pair] = ++count
      const number = numbers[pair]! - 1
      classes[byte] = number
      sizes[number] = sizes[number]! + 1
    }
    this.#count = count
  }

  /** Separates one or two bytes from all others; two bytes of one class stay together. */
  separate(bytes: readonly number[]): void {
    const [first, second] = bytes
    if (second !== undefined && this.#classes[first!] === this.#classes[second]) this.#move(bytes)
    else for (const byte of bytes) this.#move([byte])
  }

  /** Makes a class of some bytes of a class, unless they are all of it. */
  #move(bytes: readonly number[]): void {
    const from = this.#classes[bytes[0]!]!
    if (this.#sizes[from] === bytes.length) return
    for (const byte of bytes) this.#classes[byte] = this.#count
    this.#sizes[from] = this.#sizes[from]! - bytes.length
    this.#sizes[this.#count] = bytes.length
    this.#count++
  }

  result(): ByteClasses {
    const samples: number[] = []
    for (let byte = 0; byte < 256; byte++) samples[this.#classes[byte]!] ??= byte
    return { classes: this.#classes, samples }
  }
}
