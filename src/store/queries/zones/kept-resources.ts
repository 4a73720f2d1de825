import type { KeptResource } from '../../../model/kept-resource.ts'
import type { JsonObject, Scope } from '../../../model/resource.ts'
import type { Store } from '../../port.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { requireBasis } from '../basis.ts'
import { ownerColumn, ownerColumns } from '../owner.ts'
import { ownerRow } from '../write-locks.ts'

export function keptResourceQueries(transactions: Transactions): Store['keptResources'] {
  const what = ({ kind, id }: Scope) => `the kept resources of ${kind} ${id}`
  return {
    list: scope => transactions.read(db => stored(db, scope)),
    put: (scope, { kind, id, createdOn, modifiedOn, document }, audit, basis) =>
      transactions.write(ownerRow(scope), async tx => {
        await requireBasis(basis, what(scope), () => stored(tx, scope))
        const values = { modified_on: modifiedOn, document: JSON.stringify(document) }
        await tx
          .insertInto('kept_resources')
          .values({ ...ownerColumns(scope), id, kind, created_on: createdOn, ...values })
          .onConflict(on => on.column('id').doUpdateSet(values))
          .execute()
        await writeAudit(tx, audit)
      }),
    delete: (scope, id, audit, basis) =>
      transactions.write(ownerRow(scope), async tx => {
        await requireBasis(basis, what(scope), () => stored(tx, scope))
        await tx
          .deleteFrom('kept_resources')
          .where(ownerColumn(scope), '=', scope.id)
          .where('id', '=', id)
          .execute()
        await writeAudit(tx, audit)
      }),
  }
}

async function stored(db: Tx, scope: Scope): Promise<readonly KeptResource[]> {
  const rows = await db
    .selectFrom('kept_resources')
    .select(['kind', 'id', 'created_on as createdOn', 'modified_on as modifiedOn', 'document'])
    .where(ownerColumn(scope), '=', scope.id)
    .orderBy('created_on')
    .orderBy('id')
    .execute()
  return rows.map(row => ({ ...row, document: JSON.parse(row.document) as JsonObject }))
}
