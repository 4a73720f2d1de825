import type { ApiToken, AuditEntry, TokenCondition, TokenPolicy, User } from '../../model/resource.ts'
import type { Gate, Tx } from '../gate.ts'
import { type Store, StoreError } from '../port.ts'
import type { TokenRow, UserRow } from '../schema.ts'
import { writeAudit } from './audit.ts'

export function userQueries(gate: Gate): Store['users'] {
  return {
    get: id =>
      gate.read(async db => {
        const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
        return row && userOf(row)
      }),
    byEmail: email =>
      gate.read(async db => {
        const row = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
        return row && userOf(row)
      }),
    put: user =>
      gate.write(async tx => {
        await tx
          .insertInto('users')
          .values({ id: user.id, email: user.email, key_hash: user.keyHash })
          .onConflict(on => on.column('email').doUpdateSet({ key_hash: user.keyHash }))
          .execute()
      }),
  }
}

export function tokenQueries(gate: Gate): Store['tokens'] {
  return {
    list: () =>
      gate.read(async db => {
        const rows = await db.selectFrom('tokens').selectAll().orderBy('created_on').orderBy('id').execute()
        return rows.map(tokenOf)
      }),
    get: id =>
      gate.read(async db => {
        const row = await db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst()
        return row && tokenOf(row)
      }),
    byHash: hash =>
      gate.read(async db => {
        const row = await db.selectFrom('tokens').selectAll().where('hash', '=', hash).executeTakeFirst()
        return row && tokenOf(row)
      }),
    insert: (token, audit) =>
      gate.write(async tx => {
        await tx
          .insertInto('tokens')
          .values({ ...rowOf(token), last_used_on: token.lastUsedOn ?? null })
          .execute()
        await writeAudit(tx, audit)
      }),
    update: (token, audit) => gate.write(tx => updateToken(tx, token, audit)),
    delete: (id, audit) =>
      gate.write(async tx => {
        const result = await tx.deleteFrom('tokens').where('id', '=', id).executeTakeFirst()
        if (result.numDeletedRows === 0n) return false
        await writeAudit(tx, audit)
        return true
      }),
    touch: (id, at) =>
      gate.write(async tx => {
        await tx.updateTable('tokens').set({ last_used_on: at }).where('id', '=', id).execute()
      }),
  }
}

async function updateToken(tx: Tx, token: ApiToken, audit: AuditEntry | undefined): Promise<void> {
  const { id, ...columns } = rowOf(token)
  const result = await tx.updateTable('tokens').set(columns).where('id', '=', id).executeTakeFirst()
  if (result.numUpdatedRows === 0n) throw new StoreError('stale', `token ${id} is gone`)
  await writeAudit(tx, audit)
}

function userOf(row: UserRow): User {
  return { id: row.id, email: row.email, keyHash: row.key_hash }
}

/** Without the last use, which has a call of its own. */
function rowOf(token: ApiToken): Omit<TokenRow, 'last_used_on'> {
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

function tokenOf(row: TokenRow): ApiToken {
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
    ...(row.last_used_on === null ? {} : { lastUsedOn: row.last_used_on }),
  }
}
