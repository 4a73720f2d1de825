import type { Socket } from 'node:net'
import { OpenSet } from './open-set.ts'

export interface TunnelLimits {
  /** Time without a byte in either direction. */
  readonly tunnelIdleTimeoutMs: number
  /** Time after one side has ended and its last bytes were sent. */
  readonly tunnelEndingMs: number
}

/** Upgraded connections, and connections whose upgrade is pending. */
export class Tunnels {
  readonly #open = new OpenSet<() => void>()
  readonly #clients = new OpenSet<Socket>()

  /** The number of upgraded connections. */
  get size(): number {
    return this.#open.size
  }

  /** Adds a client that asks for a tunnel. node's server does not close its connection any more. */
  add(client: Socket): void {
    client.once('close', this.#clients.add(client))
  }

  /**
   * Joins a client to its origin. Bytes are copied in both directions, no faster than the receiver reads them. When one
   * side ends, the other must end soon, because WebSockets do not use half-open connections.
   * @returns when both sides are closed
   */
  async join(client: Socket, origin: Socket, limits: TunnelLimits): Promise<void> {
    const cut = () => {
      client.destroy()
      origin.destroy()
    }
    const idle = setTimeout(cut, limits.tunnelIdleTimeoutMs)
    let ending: NodeJS.Timeout | undefined
    const remove = this.#open.add(cut)
    const joinOne = (side: Socket, other: Socket) => {
      side.setNoDelay(true)
      side.on('data', () => idle.refresh())
      side.on('error', () => other.destroy())
      side.pipe(other)
      // The last bytes of the ended side were sent.
      other.once('finish', () => {
        ending ??= setTimeout(cut, limits.tunnelEndingMs)
      })
      // Bytes that were already read from the closed side are still sent.
      return closed(side).then(() => other.destroySoon())
    }
    await Promise.all([joinOne(client, origin), joinOne(origin, client)])
    clearTimeout(idle)
    clearTimeout(ending)
    remove()
  }

  /** Also closes clients whose upgrade is pending. */
  closeAll(): void {
    for (const cut of [...this.#open]) cut()
    for (const client of this.#clients) client.destroy()
  }
}

/** Resolves at once for a closed socket. */
function closed(socket: Socket): Promise<void> {
  return socket.closed ? Promise.resolve() : new Promise(resolve => socket.once('close', () => resolve()))
}
