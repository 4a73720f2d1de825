import type { Account, ApiToken, AuditEntry, User } from '../../model/resource.ts'
import type { Revised } from './basis.ts'

export interface AccountStore {
  list(): Promise<readonly Account[]>
  get(id: string): Promise<Account | undefined>
  insert(account: Account, audit?: AuditEntry): Promise<void>
}

export interface UserStore {
  get(id: string): Promise<User | undefined>
  byEmail(email: string): Promise<User | undefined>
  /** Inserts a user, or replaces the key of the user with that e-mail. */
  put(user: User, audit?: AuditEntry): Promise<void>
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
