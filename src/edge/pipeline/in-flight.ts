import type { Exchange } from '../exchange/exchange.ts'
import type { Overload } from '../exchange/stats.ts'

/** A zone, and a client, may have so many requests in flight for each slot that is free. */
const ofZonePerFreeSlot = 4
const ofClientPerFreeSlot = 2

/**
 * The requests that one edge works on at a time. A zone gets at most four times as many slots as remain free: four
 * fifths of all slots if it is alone, four ninths of them if another zone has as many requests. A client gets at most
 * twice as many as remain free: two thirds if it is alone, which leaves slots for others in each zone. The smaller the
 * number of its requests, the later a zone or a client is refused.
 */
export class RequestsInFlight {
  readonly #max: number
  // A set of exchanges would keep them in memory long after their end: V8 links the tables that a set has outgrown.
  #taken = 0
  readonly #ofZones = new Counts()
  readonly #ofClients = new Counts()

  constructor(max: number) {
    this.#max = max
  }

  /** @returns the limit that refuses the request. Otherwise it has a slot until `leave` */
  enter(exchange: Exchange): Overload | undefined {
    const { zoneId, client } = exchange.facts
    const free = this.#max - this.#taken
    if (this.#ofZones.of(zoneId) >= ofZonePerFreeSlot * free) return 'requests_in_flight'
    // A trusted proxy that names no client has many.
    if (client !== '' && this.#ofClients.of(client) >= ofClientPerFreeSlot * free) return 'client_requests'
    exchange.hasSlot = true
    this.#taken++
    this.#ofZones.add(zoneId)
    this.#ofClients.add(client)
    return undefined
  }

  /** Frees the slot of a request, if it has one. */
  leave(exchange: Exchange): void {
    if (!exchange.hasSlot) return
    exchange.hasSlot = false
    this.#taken--
    this.#ofZones.remove(exchange.facts.zoneId)
    this.#ofClients.remove(exchange.facts.client)
  }
}

class Counts {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string): void {
    this.#counts.set(key, this.of(key) + 1)
  }

  remove(key: string): void {
    const left = this.of(key) - 1
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
  }
}
