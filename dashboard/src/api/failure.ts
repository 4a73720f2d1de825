import type { ErrorEntry } from './types.ts'

/** A call that the API refused, or that never reached it (status 0). */
export class ApiFailure extends Error {
  readonly status: number
  readonly entries: readonly ErrorEntry[]

  constructor(status: number, entries: readonly ErrorEntry[]) {
    super(entries.map(entry => entry.message).join('; ') || `status ${status}`)
    this.name = 'ApiFailure'
    this.status = status
    this.entries = entries
  }

  /** Of the first error; docs/errors.md lists them. */
  get code(): number | undefined {
    return this.entries[0]?.code
  }

  /** Messages by the JSON pointer of the body that each is about; those about no part of it under ''. */
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

/** What somebody can do about it, as a sentence; empty when the message itself says it. */
export function adviceOn(error: unknown): string {
  if (!(error instanceof ApiFailure))
    return 'Reload the page. If it comes back, its message belongs in a bug report.'
  const { status } = error
  if (status === 0) return 'Sluice does not answer. See whether it runs, then try again.'
  if (status === 401) return 'Sign in again.'
  if (status === 403 && isPermission(error))
    return 'The token lacks a permission for this. Sign in with one that has it, or ask whoever made it.'
  if (status === 404) return 'It may have been deleted meanwhile. Go back and reload the list.'
  if (status === 412) return 'Somebody changed it meanwhile. Reload, look at what is different and try again.'
  if (status === 429 || status === 503) return 'Wait a moment and try again.'
  if (status >= 500) return 'The log of Sluice has the details under the id in the message.'
  return ''
}

/** Was it refused for what the token may do, not for what was asked? */
export function isPermission(error: unknown): boolean {
  if (!(error instanceof ApiFailure) || error.status !== 403) return false
  return error.code === undefined || permissionCodes.has(error.code)
}

const permissionCodes: ReadonlySet<number> = new Set([9109, 10000])
