import type { Cipher } from '../../../kit/cipher.ts'
import type { UserChanges } from '../../port/people.ts'
import type { Store } from '../../port.ts'
import type { UserRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { memberRow, userOf } from './rows.ts'

export function userQueries(transactions: Transactions, cipher: Cipher): Store['users'] {
  const by = (column: 'id' | 'email' | 'invitation_hash' | 'oidc_subject', value: string) =>
    transactions.read(async db => {
      const row = await db.selectFrom('users').selectAll().where(column, '=', value).executeTakeFirst()
      return row && userOf(row, cipher)
    })
  return {
    get: id => by('id', id),
    byInvitation: hash => by('invitation_hash', hash),
    byOidcSubject: subject => by('oidc_subject', subject),
    byEmail: email =>
      transactions.read(async db => {
        const row = await db
          .selectFrom('users')
          .selectAll()
          .where(({ eb, fn }) => eb(fn<string>('lower', ['email']), '=', email.toLowerCase()))
          .executeTakeFirst()
        return row && userOf(row, cipher)
      }),
    insert: (user, member, audit) =>
      transactions.write('nothing', async tx => {
        await tx
          .insertInto('users')
          .values({
            id: user.id,
            email: user.email,
            key_hash: user.keyHash ?? '',
            password_hash: user.passwordHash ?? null,
            sealed_totp: user.totp === undefined ? null : cipher.seal(JSON.stringify(user.totp)),
            totp_step: 0,
            invitation_hash: user.invitation?.hash ?? null,
            invitation_until: user.invitation?.expiresOn ?? null,
            oidc_subject: user.oidcSubject ?? null,
          })
          .execute()
        if (member !== undefined) await tx.insertInto('members').values(memberRow(member)).execute()
        await writeAudit(tx, audit)
      }),
    update: (id, changes, audit) =>
      transactions.write('nothing', async tx => {
        const columns = columnsOf(changes, cipher)
        if (Object.keys(columns).length > 0)
          await tx.updateTable('users').set(columns).where('id', '=', id).execute()
        if (changes.recoveryCodes !== undefined) await replaceCodes(tx, id, changes.recoveryCodes)
        await writeAudit(tx, audit)
      }),
    link: (id, oidcSubject, keepsOthers, audit) =>
      transactions.write('nothing', async tx => {
        const changes = keepsOthers ? {} : { keyHash: null, passwordHash: null, totp: null }
        const columns = columnsOf({ ...changes, oidcSubject, invitation: null }, cipher)
        await tx.updateTable('users').set(columns).where('id', '=', id).execute()
        await writeAudit(tx, audit)
        if (keepsOthers) return
        await replaceCodes(tx, id, [])
        await tx.deleteFrom('sessions').where('user_id', '=', id).execute()
        await tx.deleteFrom('tokens').where('user_id', '=', id).where('account_id', 'is', null).execute()
      }),
    acceptInvitation: (id, invitation, passwordHash, audit) =>
      transactions.write('nothing', async tx => {
        const { numUpdatedRows } = await tx
          .updateTable('users')
          .set(columnsOf({ passwordHash, invitation: null, totp: null }, cipher))
          .where('id', '=', id)
          .where('invitation_hash', '=', invitation)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        await replaceCodes(tx, id, [])
        await tx.deleteFrom('sessions').where('user_id', '=', id).execute()
        await writeAudit(tx, audit)
        return true
      }),
    beginTotp: (id, totp, audit) =>
      transactions.write('nothing', async tx => {
        const row = await tx.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
        if (row === undefined || userOf(row, cipher).totp?.confirmed) return false
        const before = row.sealed_totp
        const { numUpdatedRows } = await tx
          .updateTable('users')
          .set(columnsOf({ totp }, cipher))
          .where('id', '=', id)
          .where('sealed_totp', before === null ? 'is' : '=', before)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        await writeAudit(tx, audit)
        return true
      }),
    takeTotpStep: (id, step) =>
      transactions.write('nothing', async tx => {
        const { numUpdatedRows } = await tx
          .updateTable('users')
          .set({ totp_step: step })
          .where('id', '=', id)
          .where('totp_step', '<', step)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      }),
    takeRecoveryCode: (id, hash) =>
      transactions.write('nothing', async tx => {
        const { numDeletedRows } = await tx
          .deleteFrom('recovery_codes')
          .where('user_id', '=', id)
          .where('hash', '=', hash)
          .executeTakeFirst()
        return numDeletedRows > 0n
      }),
    anyHasPassword: () =>
      transactions.read(async db => {
        const query = db.selectFrom('users').select('id').where('password_hash', 'is not', null)
        return (await query.executeTakeFirst()) !== undefined
      }),
    recoveryCodes: id =>
      transactions.read(async db => {
        const rows = await db.selectFrom('recovery_codes').select('hash').where('user_id', '=', id).execute()
        return rows.length
      }),
  }
}

async function replaceCodes(tx: Tx, userId: string, hashes: readonly string[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  if (hashes.length === 0) return
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map(hash => ({ user_id: userId, hash })))
    .execute()
}

function columnsOf(changes: UserChanges, cipher: Cipher): Partial<UserRow> {
  const { keyHash, passwordHash, oidcSubject, totp, invitation } = changes
  return {
    ...(keyHash === undefined ? {} : { key_hash: keyHash ?? '' }),
    ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
    ...(oidcSubject === undefined ? {} : { oidc_subject: oidcSubject }),
    ...(totp === undefined ? {} : { sealed_totp: totp && cipher.seal(JSON.stringify(totp)) }),
    ...(invitation === undefined
      ? {}
      : { invitation_hash: invitation?.hash ?? null, invitation_until: invitation?.expiresOn ?? null }),
  }
}
