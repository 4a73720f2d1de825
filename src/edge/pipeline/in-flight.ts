import type { Exchange } from '../exchange/exchange.ts'

/** A zone may have so many requests in flight for each place that is free. */
const requestsPerFreePlace = 4

/**
 * The requests that one edge works on at a time. A zone gets at most four times as many places as remain free: four
 * fifths of all places if it is alone, four ninths of them if another zone has as many requests. The smaller the number
 * of its requests, the later a zone is refused.
 */
export class RequestsInFlight {
  readonly #max: number
  readonly #zones = new Map<Exchange, string>()
  readonly #byZone = new Map<string, number>()

  constructor(max: number) {
    this.#max = max
  }

  /** @returns false if the request must be refused. Otherwise it has a place until `leave`. */
  enter(exchange: Exchange): boolean {
    const { zoneId } = exchange.facts
    const ofZone = this.#byZone.get(zoneId) ?? 0
    if (ofZone >= requestsPerFreePlace * (this.#max - this.#zones.size)) return false
    this.#zones.set(exchange, zoneId)
    this.#byZone.set(zoneId, ofZone + 1)
    return true
  }

  /** Frees the place of a request, if it has one. */
  leave(exchange: Exchange): void {
    const zoneId = this.#zones.get(exchange)
    if (zoneId === undefined) return
    this.#zones.delete(exchange)
    const ofZone = this.#byZone.get(zoneId)! - 1
    if (ofZone > 0) this.#byZone.set(zoneId, ofZone)
    else this.#byZone.delete(zoneId)
  }
}
