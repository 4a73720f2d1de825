import type { KeptResource } from '../../model/kept-resource.ts'
import type { AuditEntry, Scope } from '../../model/resource.ts'
import type { Basis } from './basis.ts'

/** Resources that no edge evaluates, so that their changes are not announced. */
export interface KeptResourceStore {
  /** Of all kinds, oldest first. */
  list(scope: Scope): Promise<readonly KeptResource[]>
  /**
   * Inserts or replaces one.
   * @throws StoreError `conflict` when there is no such account or zone, `stale` when the stored resources differ from
   *   the basis
   */
  put(
    scope: Scope,
    resource: KeptResource,
    audit?: AuditEntry,
    basis?: Basis<readonly KeptResource[]>,
  ): Promise<void>
  /** @throws StoreError `stale` */
  delete(scope: Scope, id: string, audit?: AuditEntry, basis?: Basis<readonly KeptResource[]>): Promise<void>
}
