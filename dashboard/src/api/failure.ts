import type { ErrorEntry } from './types.ts'

/** A call that the API refused, or that did not reach it (status 0). */
export class ApiFailure extends Error {
  readonly status: number
  readonly entries: readonly ErrorEntry[]

  constructor(status: number, entries: readonly ErrorEntry[]) {
    super(entries.map(entry => entry.message).join('; ') || `status ${status}`)
    this.name = 'ApiFailure'
    this.status = status
    this.entries = entries
  }

  /** Code of the first error; docs/reference/api.md lists them. */
  get code(): number | undefined {
    return this.entries[0]?.code
  }

  /** Messages by JSON pointer into the body; messages without a pointer are under ''. */
  byPointer(): ReadonlyMap<string, string> {
    const found = new Map<string, string>()
    for (const { message, source } of this.entries) {
      const pointer = source?.pointer ?? ''
      const known = found.get(pointer)
      found.set(pointer, known === undefined ? message : `${known}; ${message}`)
    }
    return found
  }
}

/** How the user can resolve the failure; empty when the message says so itself. */
export function adviceOn(error: unknown): string {
  if (!(error instanceof ApiFailure))
    return 'Reload the page. If the error returns, report it with this message.'
  const { status } = error
  if (status === 0) return 'Sluice does not respond. Check that it is running, then try again.'
  if (status === 401) return 'Sign in again.'
  if (status === 403 && isPermission(error))
    return 'Your token or role lacks a permission. Sign in as another user, or ask an administrator.'
  if (status === 404) return 'It may have been deleted. Go back and reload the list.'
  if (status === 412) return 'Someone else changed it. Reload, review the changes and try again.'
  if (status === 429 || status === 503) return 'Wait a moment and try again.'
  if (status >= 500) return 'Search the Sluice log for the ID in the message.'
  return ''
}

/** True when the token lacks a permission; false when the request itself was refused. */
export function isPermission(error: unknown): boolean {
  if (!(error instanceof ApiFailure) || error.status !== 403) return false
  return error.code === undefined || permissionCodes.has(error.code)
}

const permissionCodes: ReadonlySet<number> = new Set([9109, 10000])
