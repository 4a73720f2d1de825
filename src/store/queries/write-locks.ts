import type { Scope } from '../../model/resource.ts'
import type { WriteLock } from '../transactions.ts'

/** For resources of a zone. */
export function zoneRow(id: string): WriteLock {
  return { table: 'zones', ids: [id] }
}

/** For resources of an account. */
export function accountRow(id: string): WriteLock {
  return { table: 'accounts', ids: [id] }
}

/** For the rulesets of an account or a zone, which are checked against each other. */
export function ownerRow({ kind, id }: Scope): WriteLock {
  return kind === 'account' ? accountRow(id) : zoneRow(id)
}

/** For a list and its items. */
export function listRow(id: string): WriteLock {
  return { table: 'lists', ids: [id] }
}

/** For a job and its delivery state. */
export function jobRow(id: number): WriteLock {
  return { table: 'jobs', ids: [id] }
}

export function jobRows(ofJobs: readonly { readonly jobId: number }[]): WriteLock {
  return { table: 'jobs', ids: [...new Set(ofJobs.map(({ jobId }) => jobId))] }
}
