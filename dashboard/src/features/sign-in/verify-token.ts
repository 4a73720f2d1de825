import { send } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import type { Session } from '../../api/session.ts'
import type { Account, TokenStatus, Zone } from '../../api/types.ts'

/**
 * Finds the owner of a token. A user's token is verified at the user, an account's token at its account, which comes
 * from any zone that it can read.
 * @throws ApiFailure, or an Error with a remedy
 */
export async function verifyToken(token: string): Promise<Session> {
  try {
    const { result } = await send<TokenStatus>(get('/user/tokens/verify'), undefined, token)
    requireActive(result)
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error
    return sessionOfAccountToken(token, error)
  }
  const { result: accounts } = await send<Account[]>(get('/accounts?per_page=1'), undefined, token)
  const account = accounts[0] ?? (await accountOfZones(token))
  if (account === undefined)
    throw new Error(
      'This token is valid but has no access to an account or zone. Add a permission, then sign in again.',
    )
  return { token, accountId: account.id, accountName: account.name, owner: 'user' }
}

async function sessionOfAccountToken(token: string, unknown: ApiFailure): Promise<Session> {
  const account = await accountOfZones(token).catch(() => undefined)
  if (account === undefined) throw unknown
  const { result } = await send<TokenStatus>(get(`/accounts/${account.id}/tokens/verify`), undefined, token)
  requireActive(result)
  return { token, accountId: account.id, accountName: account.name, owner: 'account' }
}

async function accountOfZones(token: string): Promise<Pick<Account, 'id' | 'name'> | undefined> {
  const { result } = await send<Zone[]>(get('/zones?per_page=5'), undefined, token)
  return result[0]?.account
}

function requireActive({ status }: TokenStatus): void {
  if (status === 'disabled')
    throw new Error('This token is disabled. Enable it with PUT /user/tokens/{id}, or use another token.')
  if (status === 'expired') throw new Error('This token has expired. Create a new one, or use another token.')
}

function get(path: string) {
  return { method: 'GET', path }
}
