/**
 * The credentials of this page: the session of a user, whose cookie the browser keeps, or a token in memory and, on
 * request, in the session storage of this tab. No other module knows where they are stored.
 */
export interface Session {
  /** Undefined: the browser sends the cookie of a session. */
  readonly token?: string
  /** Part of every path below /accounts. */
  readonly accountId: string
  readonly accountName: string
  /** An account token outlives its creator; a user token does not. */
  readonly owner: 'user' | 'account'
}

const key = 'sluice.session'

let current: Session | undefined = readKept()
const listeners = new Set<() => void>()

export function currentSession(): Session | undefined {
  return current
}

/** @param keep a token also across reloads of this tab, as before if absent; the browser keeps cookies anyway */
export function beginSession(session: Session, keep = sessionStorage.getItem(key) !== null): void {
  current = session
  if (keep && session.token !== undefined) sessionStorage.setItem(key, JSON.stringify(session))
  else sessionStorage.removeItem(key)
  tell()
}

export function endSession(): void {
  current = undefined
  sessionStorage.removeItem(key)
  tell()
}

/** @returns a function that unsubscribes */
export function onSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Options of `fetch` that authenticate a call. The API takes changes with a cookie from pages with this header only. */
export function credentialsOf(token: string | undefined): {
  readonly credentials: RequestCredentials
  readonly headers: Readonly<Record<string, string>>
} {
  return token === undefined
    ? { credentials: 'same-origin', headers: { 'x-sluice-page': '1' } }
    : { credentials: 'omit', headers: { authorization: `Bearer ${token}` } }
}

function tell(): void {
  for (const listener of listeners) listener()
}

function readKept(): Session | undefined {
  try {
    const kept = sessionStorage.getItem(key)
    return kept === null ? undefined : (JSON.parse(kept) as Session)
  } catch {
    return undefined
  }
}
