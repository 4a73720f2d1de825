import type { Operation } from '../../api/client.ts'
import { useRead, useSession } from '../../api/hooks.ts'
import type { Permission } from '../../api/permissions.ts'
import { useUrlState } from '../../ui/use-url-state.ts'

/** Whose tokens a page is about: those of the user who is signed in, or those of the account. */
export interface TokenScope {
  readonly kind: 'user' | 'account'
  readonly accountId: string
  readonly read: Permission
  readonly write: Permission
}

/** The scope that the address names; a token of an account has the tokens of its account to begin with. */
export function useTokenScope(): readonly [TokenScope, (kind: string) => void] {
  const { accountId, owner } = useSession()
  const [named, setNamed] = useUrlState('of', owner)
  const kind = named === 'account' ? 'account' : 'user'
  const area = kind === 'user' ? 'userTokens' : 'accountTokens'
  return [{ kind, accountId, read: `${area} read`, write: `${area} write` }, setNamed]
}

type AccountOperation = Extract<Operation, `${string} /accounts/{account_id}/tokens${string}`>

/** The operation at the owner. Both have the same routes, which take and answer the same. */
export function at<Key extends AccountOperation>({ kind }: Pick<TokenScope, 'kind'>, key: Key): Key {
  return kind === 'account' ? key : (key.replace('/accounts/{account_id}/', '/user/') as Key)
}

/** Operations whose answers are different once a token has changed. */
export function changedByTokens(scope: TokenScope): readonly Operation[] {
  return [at(scope, 'GET /accounts/{account_id}/tokens')]
}

/** The token that this page is signed in with; what ends it would sign out. */
export function useOwnTokenId(): string | undefined {
  const { accountId, owner } = useSession()
  const key = at({ kind: owner }, 'GET /accounts/{account_id}/tokens/verify')
  const { data } = useRead(key, { path: { account_id: accountId } }, { staleMs: Number.POSITIVE_INFINITY })
  return data?.id
}
