import type { Cipher } from '../../../kit/cipher.ts'
import type { Member, Totp, User } from '../../../model/resource.ts'
import type { MemberRow, UserRow } from '../../schema.ts'

export function userOf(row: UserRow, cipher: Cipher): User {
  return {
    id: row.id,
    email: row.email,
    ...(row.key_hash === '' ? {} : { keyHash: row.key_hash }),
    ...(row.password_hash === null ? {} : { passwordHash: row.password_hash }),
    ...(row.sealed_totp === null ? {} : { totp: JSON.parse(cipher.open(row.sealed_totp)) as Totp }),
    ...(row.invitation_hash === null || row.invitation_until === null
      ? {}
      : { invitation: { hash: row.invitation_hash, expiresOn: row.invitation_until } }),
    ...(row.oidc_subject === null ? {} : { oidcSubject: row.oidc_subject }),
  }
}

export function memberRow(member: Member): MemberRow {
  return {
    id: member.id,
    account_id: member.accountId,
    user_id: member.userId,
    roles: JSON.stringify(member.roles),
    created_on: member.createdOn,
  }
}

export function memberOf(row: MemberRow): Member {
  return {
    id: row.id,
    accountId: row.account_id,
    userId: row.user_id,
    roles: JSON.parse(row.roles) as string[],
    createdOn: row.created_on,
  }
}
