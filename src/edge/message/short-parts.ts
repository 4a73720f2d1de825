import { nextTurn } from '../../kit/turns.ts'
import { PartList } from './body-parts.ts'

/** A longer part costs more to copy than to pass on alone. */
const shortBytes = 1024

/** Short parts of one turn of the event loop after which a client is read no further, until its next turn. */
const partsOfTurn = 256

/**
 * Joins the short parts of a body that arrive in one turn of the event loop. A client that sends single bytes, as chunks
 * or in DATA frames, would otherwise take far more time, and hundreds of times the memory while they wait for the origin.
 */
export class ShortParts {
  readonly #client: string
  readonly #passOn: (part: Buffer | null) => boolean
  #waiting: PartList | undefined
  #count = 0

  /**
   * @param client clients with many short parts take turns
   * @param passOn takes parts in their order, and null for the end
   */
  constructor(client: string, passOn: (part: Buffer | null) => boolean) {
    this.#client = client
    this.#passOn = passOn
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
      setImmediate(() => void this.#endTurn())
    }
    this.#waiting.add(part)
    return ++this.#count < partsOfTurn
  }

  async #endTurn(): Promise<void> {
    if (this.#count >= partsOfTurn) await nextTurn('', this.#client)
    this.#flush()
  }

  #flush(): void {
    const parts = this.#waiting?.parts ?? []
    this.#waiting = undefined
    for (const part of parts) this.#passOn(part)
  }
}

export function isShort(part: Buffer | null): part is Buffer {
  return part !== null && part.length < shortBytes
}
