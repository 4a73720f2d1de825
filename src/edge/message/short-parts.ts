import type { Readable } from 'node:stream'
import { nextTurn } from '../../kit/turns.ts'
import { PartList } from './body-parts.ts'

/** A longer part costs more to copy than to pass on alone. */
const shortBytes = 1024

/** Short parts of one turn of the event loop after which a client is read no further, until its next turn. */
const partsOfTurn = 256

/**
 * Joins the short parts of a body that arrive in one turn of the event loop. A client that sends single bytes, as
 * chunks or in DATA frames, would otherwise take far more time. While they wait for the origin, they would take
 * hundreds of times the memory. While the body is paused, its short parts wait here and are joined further.
 */
export class ShortParts {
  readonly #body: Readable
  readonly #client: string
  readonly #passOn: (part: Buffer | null) => boolean
  #waiting: PartList | undefined
  #count = 0
  #bytes = 0

  /**
   * @param client clients with many short parts take turns
   * @param passOn the `push` of the body: takes parts in their order, and null for the end
   */
  constructor(body: Readable, client: string, passOn: (part: Buffer | null) => boolean) {
    this.#body = body
    this.#client = client
    this.#passOn = passOn
    body.on('resume', () => this.#flushIfRead())
  }

  /** @returns false if the client should send no more for now, as `Readable.push` */
  push(part: Buffer | null): boolean {
    if (!isShort(part)) {
      this.#flush()
      return this.#passOn(part)
    }
    if (this.#waiting === undefined) {
      this.#waiting = new PartList()
      this.#count = 0
      this.#bytes = 0
      setImmediate(() => void this.#endTurn())
    }
    this.#waiting.add(part)
    this.#bytes += part.length
    const { readableLength, readableHighWaterMark } = this.#body
    return ++this.#count < partsOfTurn && readableLength + this.#bytes < readableHighWaterMark
  }

  async #endTurn(): Promise<void> {
    if (this.#count >= partsOfTurn) await nextTurn('', this.#client)
    this.#flushIfRead()
  }

  #flushIfRead(): void {
    if (this.#body.readableFlowing === true) this.#flush()
  }

  #flush(): void {
    const parts = this.#waiting?.parts ?? []
    this.#waiting = undefined
    for (const part of parts) this.#passOn(withoutSpare(part))
  }
}

export function isShort(part: Buffer | null): part is Buffer {
  return part !== null && part.length < shortBytes
}

/** A few bytes would otherwise keep a slab, or all that was read from the connection with them, in memory. */
function withoutSpare(part: Buffer): Buffer {
  if (part.buffer.byteLength <= 2 * part.length) return part
  const copy = Buffer.allocUnsafeSlow(part.length)
  part.copy(copy)
  return copy
}
