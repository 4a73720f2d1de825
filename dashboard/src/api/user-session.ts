import { call, send } from './client.ts'
import { beginSession, currentSession, endSession } from './session.ts'
import type { Account } from './types.ts'

/** In the local storage: the account that the user chose last. */
const accountKey = 'sluice.account'

/** Shows another account with the same credentials. */
export function chooseAccount({ id, name }: Pick<Account, 'id' | 'name'>): void {
  const session = currentSession()
  if (session === undefined) return
  localStorage.setItem(accountKey, id)
  beginSession({ ...session, accountId: id, accountName: name })
}

/** Takes up the session that the browser has a cookie of, so that a reload does not sign out. */
export async function resumeSession(): Promise<void> {
  if (currentSession() !== undefined) return
  const ways = await call('GET /sign_in').catch(() => undefined)
  if (ways?.signed_in) await beginUserSession().catch(() => undefined)
}

/** After a sign-in, which has set the cookie. @throws ApiFailure */
export async function beginUserSession(): Promise<void> {
  const { result } = await send<Account[]>({ method: 'GET', path: '/accounts?per_page=50' })
  const account = result.find(({ id }) => id === localStorage.getItem(accountKey)) ?? result[0]
  if (account === undefined) throw new Error('This user is no longer a member of an account.')
  beginSession({ accountId: account.id, accountName: account.name, owner: 'user' }, false)
}

/** Also ends the session of a user, so that its cookie is worth nothing. */
export async function signOut(): Promise<void> {
  if (currentSession()?.token === undefined)
    await call('DELETE /user/sessions/{session_id}', { path: { session_id: 'current' } }).catch(
      () => undefined,
    )
  endSession()
}
