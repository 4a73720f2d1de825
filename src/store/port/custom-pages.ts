import type { CustomPage } from '../../model/custom-page.ts'
import type { AuditEntry, Scope } from '../../model/resource.ts'
import type { Basis } from './basis.ts'

/** Pages of accounts and zones in place of the edge's own. */
export interface CustomPageStore {
  /** Pages that were ever set, by id. */
  list(scope: Scope): Promise<readonly CustomPage[]>
  /**
   * Sets one page.
   * @throws StoreError `conflict` when there is no such account or zone, `stale` when the stored pages differ from the
   *   basis
   */
  put(scope: Scope, page: CustomPage, audit?: AuditEntry, basis?: Basis<readonly CustomPage[]>): Promise<void>
}
