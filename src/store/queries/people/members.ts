import type { Selectable } from 'kysely'
import type { Cipher } from '../../../kit/cipher.ts'
import type { MemberWithUser } from '../../port/people.ts'
import type { Store } from '../../port.ts'
import type { MemberRow, UserRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { memberOf, memberRow, userOf } from './rows.ts'

export function memberQueries(transactions: Transactions, cipher: Cipher): Store['members'] {
  return {
    list: accountId =>
      transactions.read(async db => {
        const rows = await withUsers(db)
          .where('members.account_id', '=', accountId)
          .orderBy('members.created_on')
          .orderBy('members.id')
          .execute()
        return rows.map(row => withUserOf(row, cipher))
      }),
    get: id =>
      transactions.read(async db => {
        const row = await withUsers(db).where('members.id', '=', id).executeTakeFirst()
        return row && withUserOf(row, cipher)
      }),
    ofUser: userId =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('members')
          .selectAll()
          .where('user_id', '=', userId)
          .orderBy('created_on')
          .orderBy('id')
          .execute()
        return rows.map(memberOf)
      }),
    insert: (member, audit) =>
      transactions.write('nothing', async tx => {
        await tx.insertInto('members').values(memberRow(member)).execute()
        await writeAudit(tx, audit)
      }),
    setRoles: (id, roles, audit) =>
      transactions.write('nothing', async tx => {
        await tx
          .updateTable('members')
          .set({ roles: JSON.stringify(roles) })
          .where('id', '=', id)
          .execute()
        await writeAudit(tx, audit)
      }),
    delete: (id, audit) =>
      transactions.write('nothing', async tx => {
        const member = await tx
          .selectFrom('members')
          .select('user_id')
          .where('id', '=', id)
          .executeTakeFirst()
        if (member === undefined) return false
        await tx.deleteFrom('members').where('id', '=', id).execute()
        await deleteWithoutAccount(tx, member.user_id)
        await writeAudit(tx, audit)
        return true
      }),
  }
}

async function deleteWithoutAccount(tx: Tx, userId: string): Promise<void> {
  const rest = await tx.selectFrom('members').select('id').where('user_id', '=', userId).executeTakeFirst()
  if (rest !== undefined) return
  await tx.deleteFrom('tokens').where('user_id', '=', userId).where('account_id', 'is', null).execute()
  await tx.deleteFrom('users').where('id', '=', userId).execute()
}

type Joined = Selectable<UserRow> & { readonly member_id: string } & Omit<MemberRow, 'id' | 'user_id'>

function withUsers(db: Tx) {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .selectAll('users')
    .select(['members.id as member_id', 'members.account_id', 'members.roles', 'members.created_on'])
}

function withUserOf(
  { member_id, account_id, roles, created_on, ...user }: Joined,
  cipher: Cipher,
): MemberWithUser {
  return {
    ...memberOf({ id: member_id, account_id, user_id: user.id, roles, created_on }),
    user: userOf(user, cipher),
  }
}
