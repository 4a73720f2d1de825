import { type CidrSet, clientNetwork } from '../../kit/cidr.ts'

/** Why there is no memory for a body; `client-overload`: the client has used up its own share. */
export type BodyShortage = 'overload' | 'client-overload'

/**
 * Counts the bytes of request bodies in the memory of one edge. All requests share one limit, and one client may use a
 * part of it, so that it cannot starve the others. An IPv6 client counts by its /64 network.
 */
export class BodyBudget {
  readonly #clientBytesMax: number
  readonly #trusted: CidrSet
  readonly #ofClients = new Map<string, number>()
  #left: number
  readonly #bytesMax: number

  /** @param trusted proxies: bytes from a proxy that names no client count for no client */
  constructor(limits: BodyLimits, trusted: CidrSet) {
    const { bodyBytesMax, clientBodyShare, clientBodyBytesMin } = limits
    this.#left = bodyBytesMax
    this.#bytesMax = bodyBytesMax
    this.#clientBytesMax = Math.max(bodyBytesMax * clientBodyShare, clientBodyBytesMin)
    this.#trusted = trusted
  }

  /** Bytes that are held now. */
  get bytes(): number {
    return this.#bytesMax - this.#left
  }

  /** Nothing is taken yet. */
  holding(clientIp: string): BodyHolding {
    return new BodyHolding(this, clientIp)
  }

  /** @returns the client that its bytes count for; undefined: they count for the common limit only */
  clientOf(clientIp: string): string | undefined {
    return this.#trusted.has(clientIp) ? undefined : clientNetwork(clientIp)
  }

  take(client: string | undefined, bytes: number): BodyShortage | undefined {
    if (bytes > this.#left) return 'overload'
    if (client !== undefined) {
      const held = (this.#ofClients.get(client) ?? 0) + bytes
      if (held > this.#clientBytesMax) return 'client-overload'
      this.#ofClients.set(client, held)
    }
    this.#left -= bytes
    return undefined
  }

  giveBack(client: string | undefined, bytes: number): void {
    this.#left += bytes
    if (client === undefined) return
    const held = this.#ofClients.get(client)! - bytes
    if (held === 0) this.#ofClients.delete(client)
    else this.#ofClients.set(client, held)
  }
}

interface BodyLimits {
  /** Bytes of all clients together. */
  readonly bodyBytesMax: number
  /** Share of one client, and the bytes that it may hold in any case. */
  readonly clientBodyShare: number
  readonly clientBodyBytesMin: number
}

/** Bytes of the budget that are held for one purpose. */
export class BodyHolding {
  readonly #budget: BodyBudget
  readonly #clientIp: string
  /** Looked up with the first bytes, because most requests have no body. */
  #client: { readonly name: string | undefined } | undefined
  #bytes = 0

  constructor(budget: BodyBudget, clientIp: string) {
    this.#budget = budget
    this.#clientIp = clientIp
  }

  /** @returns the reason when there is not enough memory; then nothing is taken */
  take(bytes: number): BodyShortage | undefined {
    this.#client ??= { name: this.#budget.clientOf(this.#clientIp) }
    const shortage = this.#budget.take(this.#client.name, bytes)
    if (shortage === undefined) this.#bytes += bytes
    return shortage
  }

  /** @param bytes all by default; never more than is held */
  giveBack(bytes = this.#bytes): void {
    const given = Math.min(bytes, this.#bytes)
    if (given === 0) return
    this.#bytes -= given
    this.#budget.giveBack(this.#client!.name, given)
  }
}
