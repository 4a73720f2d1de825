import type { Operation } from '../../api/client.ts'
import { useRead, useSession } from '../../api/hooks.ts'
import type { Permission } from '../../api/permissions.ts'
import { useUrlState } from '../../ui/address/use-url-state.ts'

/** Owner of the tokens on a page: the signed-in user, or the account. */
export interface TokenScope {
  readonly kind: 'user' | 'account'
  readonly accountId: string
  readonly read: Permission
  readonly write: Permission
}

/** The scope in the address. With an account token, the default is the account. */
export function useTokenScope(): readonly [TokenScope, (kind: string) => void] {
  const { accountId, owner } = useSession()
  const [named, setNamed] = useUrlState('of', owner)
  const kind = named === 'account' ? 'account' : 'user'
  const area = kind === 'user' ? 'userTokens' : 'accountTokens'
  return [{ kind, accountId, read: `${area} read`, write: `${area} write` }, setNamed]
}

type AccountOperation = Extract<Operation, `${string} /accounts/{account_id}/tokens${string}`>

/** The operation at the owner. Users and accounts have the same routes. */
export function at<Key extends AccountOperation>({ kind }: Pick<TokenScope, 'kind'>, key: Key): Key {
  return kind === 'account' ? key : (key.replace('/accounts/{account_id}/', '/user/') as Key)
}

/** Operations to refetch after a token changed. */
export function changedByTokens(scope: TokenScope): readonly Operation[] {
  return [at(scope, 'GET /accounts/{account_id}/tokens')]
}

/** The token of this session, if there is one; disabling or deleting it would end the session. */
export function useOwnTokenId(): string | undefined {
  const { accountId, owner, token } = useSession()
  const key = at({ kind: owner }, 'GET /accounts/{account_id}/tokens/verify')
  const options = { staleMs: Number.POSITIVE_INFINITY, enabled: token !== undefined }
  const { data } = useRead(key, { path: { account_id: accountId } }, options)
  return data?.id
}
