import type { ApiToken, AuditEntry, TokenCondition, TokenPolicy } from '../../../model/resource.ts'
import type { Revised } from '../../port/basis.ts'
import { StoreError } from '../../port/error.ts'
import type { Store } from '../../port.ts'
import type { TokenRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'

export function tokenQueries(transactions: Transactions): Store['tokens'] {
  return {
    list: () =>
      transactions.read(async db => {
        const rows = await db.selectFrom('tokens').selectAll().orderBy('created_on').orderBy('id').execute()
        return rows.map(tokenOf)
      }),
    get: id =>
      transactions.read(async db => {
        const row = await db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst()
        return row && tokenOf(row)
      }),
    byHash: hash =>
      transactions.read(async db => {
        const row = await db.selectFrom('tokens').selectAll().where('hash', '=', hash).executeTakeFirst()
        return row && tokenOf(row)
      }),
    insert: (token, audit) =>
      transactions.write('nothing', async tx => {
        await tx
          .insertInto('tokens')
          .values({ ...rowOf(token), last_used_on: token.lastUsedOn ?? null, revision: 1 })
          .execute()
        await writeAudit(tx, audit)
      }),
    update: (token, audit) => transactions.write('nothing', tx => updateToken(tx, token, audit)),
    delete: (id, audit, revision) =>
      transactions.write('nothing', async tx => {
        let query = tx.deleteFrom('tokens').where('id', '=', id)
        if (revision !== undefined) query = query.where('revision', '=', revision)
        const { numDeletedRows } = await query.executeTakeFirst()
        if (numDeletedRows === 0n && revision !== undefined) throw staleToken(id, revision)
        if (numDeletedRows === 0n) return false
        await writeAudit(tx, audit)
        return true
      }),
    touch: (id, at) =>
      transactions.write('nothing', async tx => {
        await tx.updateTable('tokens').set({ last_used_on: at }).where('id', '=', id).execute()
      }),
  }
}

async function updateToken(tx: Tx, token: Revised<ApiToken>, audit: AuditEntry | undefined): Promise<void> {
  const { id, ...columns } = rowOf(token)
  const { numUpdatedRows } = await tx
    .updateTable('tokens')
    .set({ ...columns, revision: token.revision + 1 })
    .where('id', '=', id)
    .where('revision', '=', token.revision)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw staleToken(id, token.revision)
  await writeAudit(tx, audit)
}

function staleToken(id: string, revision: number): StoreError {
  return new StoreError('stale', `token ${id} is not at revision ${revision} any more`)
}

/** Without the last use, which `touch` writes. */
function rowOf(token: ApiToken): Omit<TokenRow, 'last_used_on' | 'revision'> {
  return {
    id: token.id,
    name: JSON.stringify(token.name),
    hash: token.hash,
    user_id: token.userId,
    account_id: token.accountId ?? null,
    status: token.status,
    policies: JSON.stringify(token.policies),
    condition: token.condition === undefined ? null : JSON.stringify(token.condition),
    not_before: token.notBefore ?? null,
    expires_on: token.expiresOn ?? null,
    created_on: token.createdOn,
    modified_on: token.modifiedOn,
  }
}

function tokenOf(row: TokenRow): Revised<ApiToken> {
  return {
    id: row.id,
    name: JSON.parse(row.name) as string,
    hash: row.hash,
    userId: row.user_id,
    ...(row.account_id === null ? {} : { accountId: row.account_id }),
    status: row.status as ApiToken['status'],
    policies: JSON.parse(row.policies) as TokenPolicy[],
    ...(row.condition === null ? {} : { condition: JSON.parse(row.condition) as TokenCondition }),
    ...(row.not_before === null ? {} : { notBefore: row.not_before }),
    ...(row.expires_on === null ? {} : { expiresOn: row.expires_on }),
    createdOn: row.created_on,
    modifiedOn: row.modified_on,
    revision: row.revision,
    ...(row.last_used_on === null ? {} : { lastUsedOn: row.last_used_on }),
  }
}
