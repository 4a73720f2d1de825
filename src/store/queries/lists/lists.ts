import { sql } from 'kysely'
import type { AuditEntry, List, ListKind } from '../../../model/resource.ts'
import { listLimits } from '../../limits.ts'
import type { Revised } from '../../port/basis.ts'
import { StoreError } from '../../port/error.ts'
import type { Store } from '../../port.ts'
import type { ListRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { announce } from '../changes.ts'
import { namingLists } from '../rulesets.ts'
import { accountRow, listRow } from '../write-locks.ts'
import { deleteItems, itemContents, itemOf, itemsPage, putItems } from './items.ts'
import { beatOperations, failOperation, openOperations, operationOf, putOperation } from './operations.ts'

export function listQueries(transactions: Transactions): Store['lists'] {
  return {
    list: accountId =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('lists')
          .selectAll()
          .where('account_id', '=', accountId)
          .orderBy('position')
          .execute()
        return rows.map(listOf)
      }),
    get: (accountId, id) =>
      transactions.read(async db => {
        const row = await db
          .selectFrom('lists')
          .selectAll()
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .executeTakeFirst()
        return row && listOf(row)
      }),
    insert: (list, audit) =>
      transactions.write(accountRow(list.accountId), tx => insertList(tx, list, audit)),
    update: (list, audit) => transactions.write('nothing', tx => updateList(tx, list, audit)),
    delete: (accountId, id, audit, requireUnused, revision) =>
      transactions.write(listRow(id), async tx => {
        const deleted = await deleteList(tx, accountId, id, revision)
        if (!deleted && revision !== undefined) throw staleList(id, revision)
        if (!deleted) return false
        // After the list is deleted: rules written from now on find it gone, and rules that name it already are
        // found.
        requireUnused?.(await namingLists(tx, accountId))
        await announce(tx, 'account', accountId)
        await writeAudit(tx, audit)
        return true
      }),
    items: (listId, page) => transactions.read(db => itemsPage(db, listId, page)),
    item: (listId, id) =>
      transactions.read(async db => {
        const row = await db
          .selectFrom('list_items')
          .selectAll()
          .where('id', '=', id)
          .where('list_id', '=', listId)
          .executeTakeFirst()
        return row && itemOf(row)
      }),
    contents: listId => transactions.read(db => itemContents(db, listId)),
    putItems: (list, items, replace, audit) =>
      transactions.write(listRow(list.id), async tx => {
        await putItems(tx, list, items, replace)
        await changed(tx, list, audit)
      }),
    deleteItems: (list, ids, audit) =>
      transactions.write(listRow(list.id), async tx => {
        await deleteItems(tx, list, ids)
        await changed(tx, list, audit)
      }),
    operation: (accountId, id) => transactions.read(db => operationOf(db, accountId, id)),
    putOperation: operation => transactions.write('nothing', tx => putOperation(tx, operation)),
    openOperations: () => transactions.read(openOperations),
    beatOperations: ids => transactions.write('nothing', tx => beatOperations(tx, ids)),
    failOperation: (open, error, at) =>
      transactions.write('nothing', tx => failOperation(tx, open, error, at)),
  }
}

async function insertList(tx: Tx, list: List, audit: AuditEntry | undefined): Promise<void> {
  const { count } = await tx
    .selectFrom('lists')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', list.accountId)
    .executeTakeFirstOrThrow()
  if (count >= listLimits.listsPerAccountMax)
    throw new StoreError('full', `account ${list.accountId} has ${count} lists`)
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
      revision: 1,
      created_on: list.createdOn,
      modified_on: list.modifiedOn,
    })
    .execute()
  await announce(tx, 'account', list.accountId)
  await writeAudit(tx, audit)
}

async function updateList(tx: Tx, list: Revised<List>, audit: AuditEntry | undefined): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('lists')
    .set({
      name: list.name,
      description: JSON.stringify(list.description),
      modified_on: list.modifiedOn,
      revision: list.revision + 1,
    })
    .where('id', '=', list.id)
    .where('account_id', '=', list.accountId)
    .where('revision', '=', list.revision)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw staleList(list.id, list.revision)
  await announce(tx, 'account', list.accountId)
  await writeAudit(tx, audit)
}

async function deleteList(
  tx: Tx,
  accountId: string,
  id: string,
  revision: number | undefined,
): Promise<boolean> {
  let query = tx.deleteFrom('lists').where('id', '=', id).where('account_id', '=', accountId)
  if (revision !== undefined) query = query.where('revision', '=', revision)
  const { numDeletedRows } = await query.executeTakeFirst()
  return numDeletedRows > 0n
}

/** Counts the items again; the last step of each change to them. */
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

function staleList(id: string, revision: number): StoreError {
  return new StoreError('stale', `list ${id} is not at revision ${revision} any more`)
}

function gone(list: List): StoreError {
  return new StoreError('stale', `list ${list.id} is gone`)
}

function listOf(row: ListRow): Revised<List> {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    description: JSON.parse(row.description) as string,
    kind: row.kind as ListKind,
    numItems: row.num_items,
    createdOn: row.created_on,
    modifiedOn: row.modified_on,
    revision: row.revision,
  }
}
