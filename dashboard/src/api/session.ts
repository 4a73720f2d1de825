/**
 * Who is signed in: the token, in memory and, if asked, in this tab's session storage. Nothing else of the page knows
 * where it is kept.
 */
export interface Session {
  readonly token: string
  /** All calls below /accounts name it. An installation has one account. */
  readonly accountId: string
  readonly accountName: string
  /** Of an account, which outlives whoever made it, or of a user. */
  readonly owner: 'user' | 'account'
}

const key = 'sluice.session'

let current: Session | undefined = readKept()
const listeners = new Set<() => void>()

export function currentSession(): Session | undefined {
  return current
}

/** @param keep also over a reload of this tab, until it is closed */
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

/** @returns a function that ends the subscription */
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
