import { nextTurn } from '../../kit/turns.ts'
import type { TurnTaker } from './turn-taker.ts'

/** Shorter parts are merged up to this length. */
const slabBytes = 16 * 1024

/** Bytes of received parts that are passed on in one turn of the event loop. */
const turnBytes = 128 * 1024

/**
 * Received parts of a body. Short parts are merged, because a client that sends single bytes would otherwise use about
 * four hundred times as much memory. The last part may be replaced by a longer one that continues it.
 */
export class PartList {
  readonly parts: Buffer[]
  /** The buffer under the last part, when it has free capacity. */
  #slab: Buffer | undefined

  constructor(parts: Buffer[] = []) {
    this.parts = parts
  }

  get whole(): Buffer {
    return this.parts.length === 1 ? this.parts[0]! : Buffer.concat(this.parts)
  }

  takeFirst(): Buffer | undefined {
    return this.parts.shift()
  }

  add(part: Buffer): void {
    const last = this.parts.at(-1)
    if (last === undefined || !this.#canExtend(last, part.length)) {
      this.#slab = undefined
      this.parts.push(part)
      return
    }
    const slab = this.#slab!
    part.copy(slab, last.length)
    this.parts[this.parts.length - 1] = slab.subarray(0, last.length + part.length)
  }

  /** @returns whether the last part can grow by so many bytes; then it is at the beginning of the slab */
  #canExtend(last: Buffer, bytes: number): boolean {
    if (last.length + bytes > slabBytes) return false
    if (this.#slab === undefined) {
      this.#slab = Buffer.allocUnsafeSlow(slabBytes)
      last.copy(this.#slab)
    }
    return true
  }
}

/** The position of a reader in a list of parts. It sees added parts, and the growth of the last part. */
export class PartsCursor {
  readonly #chunks: readonly Buffer[]
  readonly #take: (part: Uint8Array) => void
  #next = 0
  /** Bytes of the next part that were already passed on. */
  #given = 0
  #left: number

  constructor(chunks: readonly Buffer[], limitBytes: number, take: (part: Uint8Array) => void) {
    this.#chunks = chunks
    this.#left = limitBytes
    this.#take = take
  }

  /** Passes whole parts on until `bytes`, the limit or the end is reached. @returns whether more parts remain */
  give(bytes: number): boolean {
    for (let given = 0; this.#left > 0; ) {
      const chunk = this.#chunks[this.#next]
      if (chunk === undefined) return false
      if (this.#given === chunk.length) {
        if (this.#next === this.#chunks.length - 1) return false
        this.#next++
        this.#given = 0
        continue
      }
      if (given >= bytes) return true
      const part = chunk.subarray(this.#given, this.#given + this.#left)
      this.#given += part.length
      this.#left -= part.length
      given += part.length
      this.#take(part)
    }
    return false
  }

  /** Passes all received parts on. Other work runs in between, because they can be many. */
  async giveInTurns({ zoneId, client }: TurnTaker): Promise<void> {
    while (this.give(turnBytes)) await nextTurn(zoneId, client)
  }
}
