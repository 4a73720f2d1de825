import { timestampOf } from '../../kit/clock.ts'
import { listLimits } from '../../kit/limits.ts'
import type { ListOperation } from '../../model/resource.ts'
import type { Tx } from '../gate.ts'
import type { ListOperationRow } from '../schema.ts'

export async function operationOf(db: Tx, accountId: string, id: string): Promise<ListOperation | undefined> {
  const row = await db
    .selectFrom('list_operations')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && fromRow(row)
}

/** One that ends takes those of its account along that ended long ago. */
export async function putOperation(tx: Tx, operation: ListOperation): Promise<void> {
  const { id, account_id, ...state } = toRow(operation)
  await tx
    .insertInto('list_operations')
    .values({ id, account_id, ...state })
    .onConflict(on => on.column('id').doUpdateSet(state))
    .execute()
  if (operation.completedOn === undefined) return
  const oldestMs = Date.parse(operation.completedOn) - listLimits.operationKeptMs
  await tx
    .deleteFrom('list_operations')
    .where('account_id', '=', account_id)
    .where('completed_on', '<', timestampOf(oldestMs))
    .execute()
}

export async function failOpenOperations(tx: Tx, error: string, at: string): Promise<void> {
  await tx
    .updateTable('list_operations')
    .set({ status: 'failed', error: JSON.stringify(error), completed_on: at })
    .where('status', 'in', ['pending', 'running'])
    .execute()
}

function toRow(operation: ListOperation): ListOperationRow {
  return {
    id: operation.id,
    account_id: operation.accountId,
    status: operation.status,
    error: operation.error === undefined ? null : JSON.stringify(operation.error),
    completed_on: operation.completedOn ?? null,
  }
}

function fromRow(row: ListOperationRow): ListOperation {
  return {
    id: row.id,
    accountId: row.account_id,
    status: row.status as ListOperation['status'],
    ...(row.error === null ? {} : { error: JSON.parse(row.error) as string }),
    ...(row.completed_on === null ? {} : { completedOn: row.completed_on }),
  }
}
