import { chosenFor } from '../../kit/rendezvous.ts'
import type { HostOrigins, OriginGroup, OriginPool, OriginServer } from '../../rulesets/plan/plan.ts'
import type { OriginHealthView } from '../exchange/deps.ts'

export interface ChoiceLimits {
  /** Failures in a row until a server is ejected. */
  readonly originFailuresMax: number
  readonly originEjectionMs: number
  /** Failing servers that are remembered. */
  readonly originsKeptMax: number
}

/** A server that has not answered since its last failure. */
interface Failing {
  /** Requests in a row. */
  failures: number
  ejectedUntilMs: number
}

/** The requests in progress at servers, by their URLs. */
export interface SlotView {
  hasFreeSlot(url: string): boolean
  inUse(url: string): number
}

/** Servers of a group, or pools. */
type Weighted = Pick<OriginServer, 'weight'>

/**
 * Chooses a server of a group for each request, in turn and by weight. A server that fails several times in a row is
 * ejected for a while; when that is over, the next failure ejects it again. Servers that health checks found down get no
 * requests either. When no server of a group is left, all are used.
 */
export class ServerChoice {
  readonly #limits: ChoiceLimits
  readonly #nowMs: () => number
  readonly #health: OriginHealthView | undefined
  /** For each of the servers of a group, or of several pools, the share of the requests that it is owed. */
  readonly #owed = new WeakMap<readonly Weighted[], Float64Array>()
  /** By URL. Servers that answer have no entry, so that the usual request looks nothing up. */
  readonly #failing = new Map<string, Failing>()

  constructor(limits: ChoiceLimits, nowMs: () => number, health?: OriginHealthView) {
    this.#limits = limits
    this.#nowMs = nowMs
    this.#health = health
  }

  /** A choice for a request that is not sent: it knows the failing servers, and takes no turn of real requests. */
  rehearsal(): ServerChoice {
    const choice = new ServerChoice(this.#limits, this.#nowMs, this.#health)
    for (const [url, failing] of this.#failing) choice.#failing.set(url, { ...failing })
    return choice
  }

  /**
   * The group of servers for a request. Of a load balancer: the first healthy pool, or one of them in turn.
   * @param tried URLs of servers that count as failed
   * @param key pools that share the requests get them by this key
   */
  group(origins: HostOrigins, tried?: ReadonlySet<string>, key?: string): OriginGroup {
    if ('servers' in origins) return origins
    const { pools, fallback, shared } = origins
    const isHealthy = (pool: OriginPool) => this.#healthyServers(pool, tried) >= pool.healthyMin
    if (!shared) return pools.find(isHealthy) ?? fallback
    return (
      (key === undefined
        ? this.#inTurn(pools, isHealthy)
        : chosenFor(key, pools, ({ id }) => id, isHealthy)) ?? fallback
    )
  }

  /**
   * Costs no memory for a group with one server.
   * @param tried URLs of servers that this request has tried
   * @param slots servers that take a further request now are preferred
   * @param key requests with the same key get the same server, as long as it is healthy
   */
  pick(
    { servers, steering }: OriginGroup,
    tried: ReadonlySet<string> | undefined,
    slots: SlotView,
    key?: string,
  ): OriginServer {
    if (servers.length === 1) return servers[0]!
    const untried = (server: OriginServer) => tried?.has(server.url) !== true
    const isUsable = (server: OriginServer) => untried(server) && this.isHealthy(server)
    if (key !== undefined) {
      const choose = (isEligible: (server: OriginServer) => boolean) =>
        chosenFor(key, servers, ({ url }) => url, isEligible)
      return choose(isUsable) ?? choose(untried) ?? servers[0]!
    }
    const choose = (isEligible: (server: OriginServer) => boolean) =>
      steering === 'least-busy'
        ? this.#leastBusy(servers, isEligible, slots)
        : this.#inTurn(servers, isEligible)
    return (
      choose(server => isUsable(server) && slots.hasFreeSlot(server.url)) ??
      choose(isUsable) ??
      choose(untried) ??
      servers[0]!
    )
  }

  /** Neither down nor ejected. */
  isHealthy({ url, healthKey }: OriginServer): boolean {
    if (healthKey !== undefined && this.#health?.isDown(healthKey) === true) return false
    return !this.#isEjected(url)
  }

  /** The server did not answer. */
  failed(url: string): void {
    const { originFailuresMax, originEjectionMs, originsKeptMax } = this.#limits
    const failing = this.#failing.get(url) ?? { failures: 0, ejectedUntilMs: 0 }
    this.#failing.delete(url)
    this.#failing.set(url, failing)
    // Servers that no plan names any more never answer again.
    if (this.#failing.size > originsKeptMax) this.#failing.delete(this.#failing.keys().next().value!)
    if (++failing.failures >= originFailuresMax) failing.ejectedUntilMs = this.#nowMs() + originEjectionMs
  }

  answered(url: string): void {
    if (this.#failing.size > 0) this.#failing.delete(url)
  }

  #healthyServers({ servers }: OriginPool, tried: ReadonlySet<string> | undefined): number {
    let healthy = 0
    for (const server of servers) if (tried?.has(server.url) !== true && this.isHealthy(server)) healthy++
    return healthy
  }

  #isEjected(url: string): boolean {
    if (this.#failing.size === 0) return false
    const failing = this.#failing.get(url)
    return failing !== undefined && this.#nowMs() < failing.ejectedUntilMs
  }

  /** Servers that are equally busy take turns. */
  #leastBusy(
    servers: readonly OriginServer[],
    isEligible: (server: OriginServer) => boolean,
    { inUse }: SlotView,
  ): OriginServer | undefined {
    const load = ({ url, weight }: OriginServer) => (inUse(url) + 1) / weight
    let least = Number.POSITIVE_INFINITY
    for (const server of servers) if (isEligible(server)) least = Math.min(least, load(server))
    return this.#inTurn(servers, server => isEligible(server) && load(server) === least)
  }

  /**
   * Each eligible item is owed its weight; the one that is owed most gets the request and pays for all of them. So a
   * server with weight 2 does not get two requests in a row.
   */
  #inTurn<T extends Weighted>(items: readonly T[], isEligible: (item: T) => boolean): T | undefined {
    let owed = this.#owed.get(items)
    if (owed === undefined) {
      owed = new Float64Array(items.length)
      this.#owed.set(items, owed)
    }
    let chosen = -1
    let given = 0
    for (let at = 0; at < items.length; at++) {
      const item = items[at]!
      if (!isEligible(item)) continue
      given += item.weight
      owed[at]! += item.weight
      if (chosen < 0 || owed[at]! > owed[chosen]!) chosen = at
    }
    if (chosen < 0) return undefined
    owed[chosen]! -= given
    return items[chosen]
  }
}
