import type { Json, JsonObject } from '../../../model/resource.ts'
import type { GroupScope } from './groups.ts'

/**
 * The resources that a resource name of a policy covers. An account's zones are `zone` with that account and any id.
 * `any` in resource of an id covers all of them.
 */
export interface ResourcePattern {
  readonly scope: GroupScope
  readonly id: string
  /** Account in which the zones must be; `any` when the name does not say. */
  readonly accountId: string
}

/** One account, zone or user. A zone that does not exist yet has an id that only `any` covers. */
export interface Resource {
  readonly scope: GroupScope
  readonly id: string
  /** Of the zone; the account's own id, and empty for users. */
  readonly accountId: string
}

export const any = '*'

export type ReadResources =
  | { readonly ok: true; readonly patterns: readonly ResourcePattern[] }
  | { readonly ok: false; readonly reason: string }

/**
 * Reads the `resources` of a policy: names with `*`, or an account with the zones inside it.
 * @source Cloudflare API, token policies: com.cloudflare.api.account.<id>, …account.zone.<id>, …user.<id>
 */
export function readResources(resources: JsonObject): ReadResources {
  const patterns: ResourcePattern[] = []
  for (const [name, value] of Object.entries(resources)) {
    const outer = patternOf(name)
    if (outer === undefined)
      return { ok: false, reason: `'${name.slice(0, 100)}' is not the name of a resource` }
    if (value === '*') {
      patterns.push(outer)
      continue
    }
    const inner = zonesInside(outer, value)
    if (inner === undefined) {
      const reason = `'${name.slice(0, 100)}' must be "*", or an account with an object of its zones and "*"`
      return { ok: false, reason }
    }
    patterns.push(...inner)
  }
  return { ok: true, patterns }
}

export function covers(pattern: ResourcePattern, resource: Resource): boolean {
  return (
    pattern.scope === resource.scope &&
    (pattern.id === any || pattern.id === resource.id) &&
    (pattern.scope !== 'zone' || pattern.accountId === any || pattern.accountId === resource.accountId)
  )
}

/** Whether some resource is covered by both. A zone named by its id alone may be in any account. */
export function overlaps(a: ResourcePattern, b: ResourcePattern): boolean {
  const meet = (x: string, y: string) => x === any || y === any || x === y
  return a.scope === b.scope && meet(a.id, b.id) && meet(a.accountId, b.accountId)
}

function zonesInside(outer: ResourcePattern, value: Json | undefined): ResourcePattern[] | undefined {
  if (outer.scope !== 'account' || typeof value !== 'object' || value === null || Array.isArray(value))
    return undefined
  const patterns: ResourcePattern[] = []
  for (const [name, inner] of Object.entries(value)) {
    const zone = patternOf(name)
    if (zone === undefined || zone.scope !== 'zone' || inner !== '*') return undefined
    patterns.push({ ...zone, accountId: outer.id })
  }
  return patterns
}

const resourceName = /^com\.cloudflare\.api\.(account\.zone|account|user)\.(\*|[0-9a-f]{32})$/

function patternOf(name: string): ResourcePattern | undefined {
  const [, kind, id] = resourceName.exec(name) ?? []
  if (kind === undefined || id === undefined) return undefined
  if (kind === 'account.zone') return { scope: 'zone', id, accountId: any }
  return kind === 'account' ? { scope: 'account', id, accountId: id } : { scope: 'user', id, accountId: '' }
}
