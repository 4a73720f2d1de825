import type { ApiToken } from '../../model/resource.ts'
import type { Gate } from '../gate.ts'
import type { Store } from '../port.ts'
import type { TokenRow } from '../schema.ts'

export function userQueries(gate: Gate): Store['users'] {
  return {
    byEmail: email =>
      gate.read(async db => {
        const row = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
        return row && { id: row.id, email: row.email, keyHash: row.key_hash }
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
    byHash: hash =>
      gate.read(async db => {
        const row = await db.selectFrom('tokens').selectAll().where('hash', '=', hash).executeTakeFirst()
        return row && tokenOf(row)
      }),
    insert: token =>
      gate.write(async tx => {
        await tx
          .insertInto('tokens')
          .values({
            id: token.id,
            name: JSON.stringify(token.name),
            hash: token.hash,
            created_on: token.createdOn,
          })
          .execute()
      }),
    delete: id =>
      gate.write(async tx => {
        const result = await tx.deleteFrom('tokens').where('id', '=', id).executeTakeFirst()
        return result.numDeletedRows > 0n
      }),
  }
}

function tokenOf(row: TokenRow): ApiToken {
  return { id: row.id, name: JSON.parse(row.name) as string, hash: row.hash, createdOn: row.created_on }
}
