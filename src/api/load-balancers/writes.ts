import type { FastifyRequest } from 'fastify'
import { timestampOf } from '../../kit/clock.ts'
import type { LoadBalancing } from '../../model/load-balancing.ts'
import type { LoadBalancingChange } from '../../store/port/load-balancing.ts'
import { type AuditedChange, auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { accountIdOf } from '../http/context.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { type OriginBounds, type OriginDeps, originBounds } from '../zones/origin-address.ts'
import { requireValue } from './refusals.ts'

/** A change of one resource, for the store, the client and the audit trail. */
export interface Changed<T> {
  readonly change: LoadBalancingChange
  readonly result: T
  readonly audit: AuditedChange
}

/**
 * Changes of the load balancing of accounts. Resources name each other, so each change is checked against all of the
 * account's, which are its basis.
 */
export class LoadBalancingWrites {
  readonly #deps: OriginDeps & Pick<ApiDeps, 'store' | 'clock'>
  readonly #queue = new KeyedQueue()

  constructor(deps: OriginDeps & Pick<ApiDeps, 'store' | 'clock'>) {
    this.#deps = deps
  }

  read(request: FastifyRequest): Promise<LoadBalancing> {
    return this.#deps.store.loadBalancing.read(accountIdOf(request))
  }

  write<T>(
    request: FastifyRequest,
    change: (before: LoadBalancing) => Changed<T> | Promise<Changed<T>>,
  ): Promise<T> {
    const { loadBalancing } = this.#deps.store
    const accountId = accountIdOf(request)
    return this.#queue.write(accountId, async () => {
      const before = await loadBalancing.read(accountId)
      const { change: changed, result, audit } = await change(before)
      await loadBalancing.change(accountId, changed, auditEntry(request, audit), { before })
      return result
    })
  }

  /** @throws ApiError 400 when the account has no such zone */
  async requireZone(name: string, accountId: string, pointer: string): Promise<void> {
    const zone = await this.#deps.store.zones.byName(name)
    const fault = zone?.accountId === accountId ? undefined : 'the account has no such zone'
    requireValue(fault, name, pointer)
  }

  get now(): string {
    return timestampOf(this.#deps.clock.nowMs())
  }

  get bounds(): OriginBounds {
    return originBounds(this.#deps)
  }
}
