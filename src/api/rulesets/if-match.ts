import type { FastifyRequest } from 'fastify'
import type { Ruleset } from '../../model/resource.ts'
import type { Store } from '../../store/port.ts'
import { ApiError, apiErrors, entry, refusal } from '../http/errors.ts'
import { changesText, changesToWire, rulesetChanges } from './changes.ts'
import { ifMatchLimits } from './limits.ts'

/** Versions that a write is based on; `any` for `*`. Undefined without If-Match. */
export type Expected = readonly number[] | 'any' | undefined

const oneVersion = /^(?:W\/)?(?:"([0-9]{1,15})"|([0-9]{1,15}))$/

/**
 * Reads `If-Match: "7"`, also without quotes, with several versions, or `*`.
 * @source RFC 9110, 13.1.1; the entity tag of a ruleset is its version
 * @throws ApiError 400 for anything else
 */
export function expectedOf(request: FastifyRequest): Expected {
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  if (header.trim() === '*') return 'any'
  const parts = header.split(',', ifMatchLimits.versionsMax + 1)
  const versions = parts.map(part => {
    const match = oneVersion.exec(part.trim())
    return match === null ? Number.NaN : Number(match[1] ?? match[2])
  })
  if (versions.length > ifMatchLimits.versionsMax || versions.some(Number.isNaN)) throw refusal('badIfMatch')
  return versions
}

/**
 * Refuses a write that is based on another version than the current one. The error lists the changes in between.
 * @throws ApiError 412
 */
export async function requireExpected(store: Store, expected: Expected, current: Ruleset): Promise<void> {
  if (expected === undefined || expected === 'any' || expected.includes(current.version)) return
  const newest = Math.max(...expected)
  const base = await store.rulesets.version(current.scope, current.id, newest)
  const changes = base === undefined ? undefined : rulesetChanges(base, current)
  const [id, current_version, expected_version] = [current.id, String(current.version), String(newest)]
  const between =
    changes === undefined ? `version ${newest} is not stored` : `changes since then: ${changesText(changes)}`
  const meta = {
    ruleset_id: id,
    expected_version,
    current_version,
    changes: changes === undefined ? null : changesToWire(changes),
  }
  const values = { id, current: current_version, expected: expected_version, between }
  throw new ApiError(apiErrors.staleVersion.status, [{ ...entry('staleVersion', values), meta }])
}

/** A missing entry point has no current version. */
export function requireNothingExpected(expected: Expected, phase: string): void {
  if (expected !== undefined) throw refusal('noVersion', { phase })
}
