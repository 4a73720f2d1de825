import type { Socket } from 'node:net'
import type { ClientChannel } from '../message/client-response.ts'

/** A connection that carries one exchange at a time. */
export class SocketChannel implements ClientChannel {
  readonly #socket: Socket
  readonly #bytesWrittenBefore: number

  constructor(socket: Socket) {
    this.#socket = socket
    this.#bytesWrittenBefore = socket.bytesWritten
  }

  get hasLeft(): boolean {
    return this.#socket.destroyed || !this.#socket.writable
  }

  get responseBytes(): number {
    return Math.max(0, this.#socket.bytesWritten - this.#bytesWrittenBefore)
  }
}
