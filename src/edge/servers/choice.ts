import type { OriginGroup, OriginServer } from '../../rulesets/plan/plan.ts'

export interface ChoiceLimits {
  /** Failures in a row until a server is ejected. */
  readonly originFailuresMax: number
  readonly originEjectionMs: number
}

/** A server that has not answered since its last failure. */
interface Failing {
  /** Requests in a row. */
  failures: number
  ejectedUntilMs: number
}

/**
 * Chooses a server of a group for each request, in turn and by weight. A server that fails several times in a row is
 * ejected for a while; when that is over, the next failure ejects it again. When all are ejected, all are used.
 */
export class ServerChoice {
  readonly #limits: ChoiceLimits
  readonly #nowMs: () => number
  /** For each server of a group, the share of the requests that it is owed. */
  readonly #owed = new WeakMap<OriginGroup, Float64Array>()
  /** By URL. Servers that answer have no entry, so that the usual request looks nothing up. */
  readonly #failing = new Map<string, Failing>()

  constructor(limits: ChoiceLimits, nowMs: () => number) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  /**
   * Costs no memory for a group with one server.
   * @param tried URLs of servers that this request has tried
   * @param hasFreeSlot whether the server takes a further request now; such servers are preferred
   */
  pick(
    group: OriginGroup,
    tried: ReadonlySet<string> | undefined,
    hasFreeSlot: (url: string) => boolean,
  ): OriginServer {
    const { servers } = group
    if (servers.length === 1) return servers[0]!
    const untried = (server: OriginServer) => tried?.has(server.url) !== true
    const isUsable = (server: OriginServer) => untried(server) && !this.#isEjected(server.url)
    return (
      this.#inTurn(group, server => isUsable(server) && hasFreeSlot(server.url)) ??
      this.#inTurn(group, isUsable) ??
      this.#inTurn(group, untried) ??
      servers[0]!
    )
  }

  /** The server did not answer. */
  failed(url: string): void {
    const { originFailuresMax, originEjectionMs } = this.#limits
    const failing = this.#failing.get(url) ?? { failures: 0, ejectedUntilMs: 0 }
    this.#failing.set(url, failing)
    if (++failing.failures >= originFailuresMax) failing.ejectedUntilMs = this.#nowMs() + originEjectionMs
  }

  answered(url: string): void {
    if (this.#failing.size > 0) this.#failing.delete(url)
  }

  #isEjected(url: string): boolean {
    if (this.#failing.size === 0) return false
    const failing = this.#failing.get(url)
    return failing !== undefined && this.#nowMs() < failing.ejectedUntilMs
  }

  /**
   * Each eligible server is owed its weight; the one that is owed most gets the request and pays for all of them. So a
   * server with weight 2 does not get two requests in a row.
   */
  #inTurn(group: OriginGroup, isEligible: (server: OriginServer) => boolean): OriginServer | undefined {
    const { servers } = group
    let owed = this.#owed.get(group)
    if (owed === undefined) {
      owed = new Float64Array(servers.length)
      this.#owed.set(group, owed)
    }
    let chosen = -1
    let given = 0
    for (let at = 0; at < servers.length; at++) {
      const server = servers[at]!
      if (!isEligible(server)) continue
      given += server.weight
      owed[at]! += server.weight
      if (chosen < 0 || owed[at]! > owed[chosen]!) chosen = at
    }
    if (chosen < 0) return undefined
    owed[chosen]! -= given
    return servers[chosen]
  }
}
