import type { CustomPage, CustomPageId } from '../../../model/custom-page.ts'
import type { Scope } from '../../../model/resource.ts'
import type { Store } from '../../port.ts'
import type { CustomPageRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { requireBasis } from '../basis.ts'
import { announce } from '../changes.ts'
import { ownerColumn, ownerColumns } from '../owner.ts'
import { ownerRow } from '../write-locks.ts'

export function customPageQueries(transactions: Transactions): Store['customPages'] {
  return {
    list: scope => transactions.read(db => stored(db, scope)),
    put: (scope, { id, ...document }, audit, basis) =>
      transactions.write(ownerRow(scope), async tx => {
        await requireBasis(basis, `the custom pages of ${scope.kind} ${scope.id}`, () => stored(tx, scope))
        await tx
          .deleteFrom('custom_pages')
          .where(ownerColumn(scope), '=', scope.id)
          .where('id', '=', id)
          .execute()
        const row = { ...ownerColumns(scope), id, document: JSON.stringify(document) }
        await tx.insertInto('custom_pages').values(row).execute()
        await announce(tx, scope.kind, scope.id)
        await writeAudit(tx, audit)
      }),
  }
}

async function stored(db: Tx, scope: Scope): Promise<readonly CustomPage[]> {
  const rows = await db
    .selectFrom('custom_pages')
    .selectAll()
    .where(ownerColumn(scope), '=', scope.id)
    .orderBy('id')
    .execute()
  return rows.map(customPageOf)
}

export function customPageOf({ id, document }: CustomPageRow): CustomPage {
  return { ...(JSON.parse(document) as Omit<CustomPage, 'id'>), id: id as CustomPageId }
}
