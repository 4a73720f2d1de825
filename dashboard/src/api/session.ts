/**
 * The signed-in token: in memory and, on request, in the session storage of this tab. No other module knows
 * where it is stored.
 */
export interface Session {
  readonly token: string
  /** Part of every path below /accounts. An installation has one account. */
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

/** @param keep also across reloads of this tab */
export function beginSession(session: Session, keep: boolean): void {
  current = session
  if (keep) sessionStorage.setItem(key, JSON.stringify(session))
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
