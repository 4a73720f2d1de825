import type { LoadBalancer, LoadBalancing, Monitor, OriginHealth, Pool } from '../../model/load-balancing.ts'
import type { OriginTls } from '../../model/origin-tls.ts'
import type { AuditEntry } from '../../model/resource.ts'
import type { Basis } from './basis.ts'

/** One resource; `stored` undefined deletes it. */
export type LoadBalancingChange =
  | { readonly kind: 'monitor'; readonly id: string; readonly stored: Monitor | undefined }
  | { readonly kind: 'pool'; readonly id: string; readonly stored: Pool | undefined }
  | {
      readonly kind: 'load_balancer'
      readonly id: string
      readonly zoneId: string
      readonly stored: LoadBalancer | undefined
    }

/** A pool whose origins are to be checked. */
export interface MonitoredPool {
  readonly pool: Pool
  readonly monitor: Monitor
  /** Load balancers leave sessions at its disabled origins for this long; undefined: none do. */
  readonly drainSeconds?: number
  /** TLS settings of one zone, which its checks use; undefined without such a zone, or if it keeps the defaults. */
  readonly tls?: OriginTls
}

export interface LoadBalancingStore {
  read(accountId: string): Promise<LoadBalancing>
  /**
   * Stores or deletes a resource of an account.
   * @throws StoreError `conflict` when there is no such account or zone, `stale` when the stored resources of the
   *   account differ from the basis
   */
  change(
    accountId: string,
    change: LoadBalancingChange,
    audit?: AuditEntry,
    basis?: Basis<LoadBalancing>,
  ): Promise<void>
  /** Zones of an account that have load balancers. */
  zones(accountId: string): Promise<readonly string[]>
  /** The pools of all accounts that have a monitor: enabled ones, and disabled ones that may keep sessions. */
  monitored(): Promise<readonly MonitoredPool[]>
  /** Replaces the report of a machine. @param forMs until then it counts, by the database's clock */
  reportHealth(
    machine: string,
    pools: ReadonlyMap<string, readonly OriginHealth[]>,
    forMs: number,
  ): Promise<void>
  /** The report of each machine about a pool. */
  health(poolId: string): Promise<readonly (readonly OriginHealth[])[]>
}
