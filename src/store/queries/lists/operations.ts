import { timestampOf } from '../../../kit/clock.ts'
import type { ListOperation } from '../../../model/resource.ts'
import { listLimits } from '../../limits.ts'
import type { OpenOperation } from '../../port/lists.ts'
import type { ListOperationRow } from '../../schema.ts'
import type { Tx } from '../../transactions.ts'

export async function operationOf(db: Tx, accountId: string, id: string): Promise<ListOperation | undefined> {
  const row = await db
    .selectFrom('list_operations')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && fromRow(row)
}

/** The end of an operation also deletes operations of its account that ended long ago. */
export async function putOperation(tx: Tx, operation: ListOperation): Promise<void> {
  const { id, account_id, ...state } = toRow(operation)
  await tx
    .insertInto('list_operations')
    .values({ id, account_id, ...state, beats: 0 })
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

/** Unfinished operations of every account. */
export async function openOperations(db: Tx): Promise<readonly OpenOperation[]> {
  const rows = await db
    .selectFrom('list_operations')
    .select(['id', 'beats'])
    .where('status', 'in', ['pending', 'running'])
    .execute()
  return rows.map(({ id, beats }) => ({ id, beats }))
}

export async function beatOperations(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx
    .updateTable('list_operations')
    .set(eb => ({ beats: eb('beats', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
}

/** An operation whose process has recorded a sign of life since, or that has ended, is left as it is. */
export async function failOperation(
  tx: Tx,
  { id, beats }: OpenOperation,
  error: string,
  at: string,
): Promise<void> {
  await tx
    .updateTable('list_operations')
    .set({ status: 'failed', error: JSON.stringify(error), completed_on: at })
    .where('id', '=', id)
    .where('beats', '=', beats)
    .where('status', 'in', ['pending', 'running'])
    .execute()
}

function toRow(operation: ListOperation): Omit<ListOperationRow, 'beats'> {
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
