import type { Account, ApiToken, AuditEntry, Member, Session, User } from '../../model/resource.ts'
import type { Revised } from './basis.ts'

export interface AccountStore {
  list(): Promise<readonly Account[]>
  get(id: string): Promise<Account | undefined>
  rename(id: string, name: string, audit?: AuditEntry): Promise<void>
  /** @param member made in the same transaction */
  insert(account: Account, audit?: AuditEntry, member?: Member): Promise<void>
}

/** The parts of a user that change. */
export type UserChanges = Partial<
  Record<'keyHash' | 'passwordHash' | 'oidcSubject', string | null> & {
    readonly totp: User['totp'] | null
    readonly invitation: User['invitation'] | null
    /** Hashes that replace all recovery codes. */
    readonly recoveryCodes: readonly string[]
  }
>

export interface UserStore {
  get(id: string): Promise<User | undefined>
  /** Letter case does not matter. */
  byEmail(email: string): Promise<User | undefined>
  byInvitation(hash: string): Promise<User | undefined>
  byOidcSubject(subject: string): Promise<User | undefined>
  /**
   * @param member made in the same transaction
   * @throws StoreError `conflict` when there is a user with that e-mail
   */
  insert(user: User, member: Member | undefined, audit?: AuditEntry): Promise<void>
  /** Absent members stay, and null removes a member. */
  update(id: string, changes: UserChanges, audit?: AuditEntry): Promise<void>
  /**
   * Links the user with an identity, and ends the invitation.
   * @param keepsOthers false: password, key, one-time codes, sessions and the user's own tokens end with it
   */
  link(id: string, oidcSubject: string, keepsOthers: boolean, audit?: AuditEntry): Promise<void>
  /**
   * Sets the password of an invited user. The invitation, one-time codes and sessions end.
   * @param invitation its hash
   * @returns false when the user does not have that invitation, or no longer
   */
  acceptInvitation(id: string, invitation: string, passwordHash: string, audit?: AuditEntry): Promise<boolean>
  /** @param totp a secret to confirm. @returns false when a confirmed one is there */
  beginTotp(id: string, totp: NonNullable<User['totp']>, audit?: AuditEntry): Promise<boolean>
  /** Uses up the one-time code of a period. @returns false when that period or a later one was used */
  takeTotpStep(id: string, step: number): Promise<boolean>
  /** @returns false when there is no such code */
  takeRecoveryCode(id: string, hash: string): Promise<boolean>
  recoveryCodes(id: string): Promise<number>
  /** Whether any user has a password. */
  anyHasPassword(): Promise<boolean>
}

export interface MemberStore {
  /** Of an account, oldest first. */
  list(accountId: string): Promise<readonly MemberWithUser[]>
  get(id: string): Promise<MemberWithUser | undefined>
  /** The accounts of a user, oldest first. */
  ofUser(userId: string): Promise<readonly Member[]>
  /** @throws StoreError `conflict` when the user is a member of the account */
  insert(member: Member, audit?: AuditEntry): Promise<void>
  setRoles(id: string, roles: readonly string[], audit?: AuditEntry): Promise<void>
  /**
   * A user whose last membership this was is deleted with their sessions and tokens; tokens that the account owns stay.
   * @returns false when there is no such member
   */
  delete(id: string, audit?: AuditEntry): Promise<boolean>
}

export interface MemberWithUser extends Member {
  readonly user: User
}

export interface SessionStore {
  byHash(hash: string): Promise<Session | undefined>
  /** Newest first. */
  ofUser(userId: string): Promise<readonly Session[]>
  /** Also deletes sessions that have expired. */
  insert(session: Session, audit?: AuditEntry): Promise<void>
  touch(id: string, at: string): Promise<void>
  /** @returns false when the user has no such session */
  delete(userId: string, id: string, audit?: AuditEntry): Promise<boolean>
  /** @param except id of a session that stays */
  deleteAll(userId: string, except?: string): Promise<void>
}

export interface TokenStore {
  list(): Promise<readonly Revised<ApiToken>[]>
  get(id: string): Promise<Revised<ApiToken> | undefined>
  byHash(hash: string): Promise<Revised<ApiToken> | undefined>
  insert(token: ApiToken, audit?: AuditEntry): Promise<void>
  /** @throws StoreError `stale` when the token was changed since it was read, or is gone */
  update(token: Revised<ApiToken>, audit?: AuditEntry): Promise<void>
  /**
   * @param revision required revision; absent: any
   * @returns false when there is no such token
   * @throws StoreError `stale` when there is none of that revision
   */
  delete(id: string, audit?: AuditEntry, revision?: number): Promise<boolean>
  /** Records the last use of a token. No change entry. */
  touch(id: string, at: string): Promise<void>
}
