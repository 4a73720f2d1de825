import { sql } from 'kysely'
import type { AuditEntry, List, ListKind } from '../../model/resource.ts'
import type { Gate, Tx } from '../gate.ts'
import { type Store, StoreError } from '../port.ts'
import type { ListRow } from '../schema.ts'
import { writeAudit } from './audit.ts'
import { announce } from './changes.ts'
import { deleteItems, itemContents, itemOf, itemsPage, putItems } from './list-items.ts'
import { failOpenOperations, operationOf, putOperation } from './list-operations.ts'

export function listQueries(gate: Gate): Store['lists'] {
  return {
    list: accountId =>
      gate.read(async db => {
        const rows = await db
          .selectFrom('lists')
          .selectAll()
          .where('account_id', '=', accountId)
          .orderBy('position')
          .execute()
        return rows.map(listOf)
      }),
    get: (accountId, id) =>
      gate.read(async db => {
        const row = await db
          .selectFrom('lists')
          .selectAll()
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .executeTakeFirst()
        return row && listOf(row)
      }),
    insert: (list, audit) => gate.write(tx => insertList(tx, list, audit)),
    update: (list, audit) => gate.write(tx => updateList(tx, list, audit)),
    delete: (accountId, id, audit) => gate.write(tx => deleteList(tx, accountId, id, audit)),
    items: (listId, page) => gate.read(db => itemsPage(db, listId, page)),
    item: (listId, id) =>
      gate.read(async db => {
        const row = await db
          .selectFrom('list_items')
          .selectAll()
          .where('id', '=', id)
          .where('list_id', '=', listId)
          .executeTakeFirst()
        return row && itemOf(row)
      }),
    contents: listId => gate.read(db => itemContents(db, listId)),
    putItems: (list, items, replace, audit) =>
      gate.write(async tx => {
        await putItems(tx, list, items, replace)
        await changed(tx, list, audit)
      }),
    deleteItems: (list, ids, audit) =>
      gate.write(async tx => {
        await deleteItems(tx, list, ids)
        await changed(tx, list, audit)
      }),
    operation: (accountId, id) => gate.read(db => operationOf(db, accountId, id)),
    putOperation: operation => gate.write(tx => putOperation(tx, operation)),
    failOpenOperations: (error, at) => gate.write(tx => failOpenOperations(tx, error, at)),
  }
}

async function insertList(tx: Tx, list: List, audit: AuditEntry | undefined): Promise<void> {
  const last = await tx
    .selectFrom('lists')
    .select(eb => eb.fn.max('position').as('position'))
    .executeTakeFirst()
  await tx
    .insertInto('lists')
    .values({
      id: list.id,
      account_id: list.accountId,
      position: (last?.position ?? 0) + 1,
      name: list.name,
      kind: list.kind,
      description: JSON.stringify(list.description),
      num_items: 0,
      created_on: list.createdOn,
      modified_on: list.modifiedOn,
    })
    .execute()
  await announce(tx, 'account', list.accountId)
  await writeAudit(tx, audit)
}

async function updateList(tx: Tx, list: List, audit: AuditEntry | undefined): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('lists')
    .set({
      name: list.name,
      description: JSON.stringify(list.description),
      modified_on: list.modifiedOn,
    })
    .where('id', '=', list.id)
    .where('account_id', '=', list.accountId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw gone(list)
  await announce(tx, 'account', list.accountId)
  await writeAudit(tx, audit)
}

async function deleteList(
  tx: Tx,
  accountId: string,
  id: string,
  audit: AuditEntry | undefined,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('lists')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await announce(tx, 'account', accountId)
  await writeAudit(tx, audit)
  return true
}

/** Counts the items anew; the last step of each change of them. */
async function changed(tx: Tx, list: List, audit: AuditEntry | undefined): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('lists')
    .set({
      num_items: sql<number>`(select count(*) from list_items where list_id = ${list.id})`,
      modified_on: list.modifiedOn,
    })
    .where('id', '=', list.id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw gone(list)
  await announce(tx, 'list', list.id)
  await writeAudit(tx, audit)
}

function gone(list: List): StoreError {
  return new StoreError('stale', `list ${list.id} is gone`)
}

function listOf(row: ListRow): List {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    description: JSON.parse(row.description) as string,
    kind: row.kind as ListKind,
    numItems: row.num_items,
    createdOn: row.created_on,
    modifiedOn: row.modified_on,
  }
}
