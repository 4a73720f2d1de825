import type { CustomAsset } from '../../../model/custom-asset.ts'
import type { Scope } from '../../../model/resource.ts'
import type { Store } from '../../port.ts'
import type { CustomAssetRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { requireBasis } from '../basis.ts'
import { announce } from '../changes.ts'
import { ownerColumn, ownerColumns } from '../owner.ts'
import { ownerRow } from '../write-locks.ts'

export function customAssetQueries(transactions: Transactions): Store['customAssets'] {
  return {
    list: scope => transactions.read(db => stored(db, scope)),
    put: (scope, { name, ...document }, audit, basis) =>
      transactions.write(ownerRow(scope), async tx => {
        await requireBasis(basis, `the assets of ${scope.kind} ${scope.id}`, () => stored(tx, scope))
        await remove(tx, scope, name)
        const row = { ...ownerColumns(scope), name, document: JSON.stringify(document) }
        await tx.insertInto('custom_assets').values(row).execute()
        await announce(tx, scope.kind, scope.id)
        await writeAudit(tx, audit)
      }),
    delete: (scope, name, audit, basis) =>
      transactions.write(ownerRow(scope), async tx => {
        await requireBasis(basis, `the assets of ${scope.kind} ${scope.id}`, () => stored(tx, scope))
        await remove(tx, scope, name)
        await announce(tx, scope.kind, scope.id)
        await writeAudit(tx, audit)
      }),
  }
}

async function remove(tx: Tx, scope: Scope, name: string): Promise<void> {
  await tx
    .deleteFrom('custom_assets')
    .where(ownerColumn(scope), '=', scope.id)
    .where('name', '=', name)
    .execute()
}

async function stored(db: Tx, scope: Scope): Promise<readonly CustomAsset[]> {
  const rows = await db
    .selectFrom('custom_assets')
    .selectAll()
    .where(ownerColumn(scope), '=', scope.id)
    .orderBy('name')
    .execute()
  return rows.map(customAssetOf)
}

export function customAssetOf({ name, document }: CustomAssetRow): CustomAsset {
  return { ...(JSON.parse(document) as Omit<CustomAsset, 'name'>), name }
}
