import type { Socket } from 'node:net'
import { type CidrSet, parseIp } from '../../kit/cidr.ts'

export type Admission = 'admitted' | 'too-many' | 'flood'

/** Counts connections by client address; an IPv6 client counts by its /64 network. */
export class ClientConnections {
  readonly #max: number
  readonly #trusted: CidrSet
  readonly #open = new Map<string, number>()

  /** @param trusted proxies, which connect on behalf of many clients and are not counted */
  constructor(max: number, trusted: CidrSet) {
    this.#max = max
    this.#trusted = trusted
  }

  /**
   * Counts a connection until it closes.
   * @param address of the client
   * @returns whether it is within the client's limit; `flood` above twice the limit
   */
  add(socket: Socket, address: string): Admission {
    const client = parseIp(address)
    if (client === undefined || this.#trusted.has(address)) return 'admitted'
    const key = client.version === 4 ? client.bytes : client.bytes.slice(0, 8)
    const count = (this.#open.get(key) ?? 0) + 1
    this.#open.set(key, count)
    socket.once('close', () => {
      const left = this.#open.get(key)! - 1
      if (left === 0) this.#open.delete(key)
      else this.#open.set(key, left)
    })
    if (count <= this.#max) return 'admitted'
    return count <= 2 * this.#max ? 'too-many' : 'flood'
  }
}
