import type { Socket } from 'node:net'
import type { BodyHolding } from '../message/body-budget.ts'
import { PartList } from '../message/body-parts.ts'

/**
 * Data that a client sends before its WebSocket is accepted. node's parser no longer reads the connection, but its end is
 * noticed only while it is read. So it is read here, and the request of a client that leaves can stop.
 */
export class EarlyBytes {
  readonly #client: Socket
  readonly #memory: BodyHolding
  readonly #bytesMax: number
  /** Undefined when the data is not needed any more. */
  #parts: PartList | undefined = new PartList()
  #bytes = 0

  /**
   * Reads at once. A client that leaves or sends too much is disconnected.
   * @param head bytes that came with the head of the request
   */
  constructor(client: Socket, head: Buffer, memory: BodyHolding, bytesMax: number) {
    this.#client = client
    this.#memory = memory
    this.#bytesMax = bytesMax
    client.once('close', () => this.drop())
    client.once('end', this.#leave).on('data', this.#take)
    if (head.length > 0) this.#take(head)
  }

  /** Sends the data to the origin. The next reader of the client need not wait for that. */
  passTo(origin: Socket): void {
    this.#client.off('end', this.#leave).off('data', this.#take)
    const parts = this.#parts
    this.#parts = undefined
    if (parts !== undefined && this.#bytes > 0) origin.write(parts.whole, () => this.#memory.giveBack())
  }

  /** There is no WebSocket. Past and further data is discarded. */
  drop(): void {
    this.#client.off('end', this.#leave)
    this.#parts = undefined
    this.#memory.giveBack()
  }

  readonly #leave = (): void => {
    this.#client.destroy()
  }

  readonly #take = (part: Buffer): void => {
    if (this.#parts === undefined) return
    this.#bytes += part.length
    if (this.#bytes > this.#bytesMax || this.#memory.take(part.length) !== undefined) {
      this.#client.destroy()
      return
    }
    this.#parts.add(part)
  }
}
