import type { CustomAsset } from '../../model/custom-asset.ts'
import type { AuditEntry, Scope } from '../../model/resource.ts'
import type { Basis } from './basis.ts'

/** Contents of accounts and zones that rules serve by their names. */
export interface CustomAssetStore {
  /** By name. */
  list(scope: Scope): Promise<readonly CustomAsset[]>
  /**
   * Creates or replaces the asset of this name.
   * @throws StoreError `conflict` when there is no such account or zone, `stale` when the stored assets differ from the
   *   basis
   */
  put(
    scope: Scope,
    asset: CustomAsset,
    audit?: AuditEntry,
    basis?: Basis<readonly CustomAsset[]>,
  ): Promise<void>
  /** @throws StoreError `stale` when the stored assets differ from the basis */
  delete(scope: Scope, name: string, audit?: AuditEntry, basis?: Basis<readonly CustomAsset[]>): Promise<void>
}
