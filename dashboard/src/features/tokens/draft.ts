import type { CreateAccountTokenBody } from '../../api/types.ts'
import type { GroupScope, Level, PermissionRow } from './permission-rows.ts'

export interface ZoneChoice {
  readonly id: string
  readonly name: string
}

/** State of the token form. */
export interface TokenDraft {
  readonly name: string
  /** All permissions, including those of later versions. */
  readonly everything: boolean
  /** Levels by row key; absent rows are `none`. */
  readonly levels: Readonly<Record<string, Level>>
  /** Undefined: all current and future zones of the account. */
  readonly zones: readonly ZoneChoice[] | undefined
  /** Milliseconds; undefined for no expiry. */
  readonly endsAt: number | undefined
  readonly onlyFrom: readonly string[]
  readonly neverFrom: readonly string[]
}

export const emptyDraft: TokenDraft = {
  name: '',
  everything: false,
  levels: {},
  zones: undefined,
  endsAt: undefined,
  onlyFrom: [],
  neverFrom: [],
}

interface Surroundings {
  readonly rows: readonly PermissionRow[]
  /** Id of the group with all permissions. */
  readonly everythingId: string | undefined
  readonly accountId: string
  readonly owner: 'user' | 'account'
}

type Policy = CreateAccountTokenBody['policies'][number]

/** One policy per kind of resource: a group needs a resource of its kind. */
export function tokenBody(draft: TokenDraft, surroundings: Surroundings): CreateAccountTokenBody {
  const { name, endsAt, onlyFrom, neverFrom } = draft
  const requestIp = {
    ...(onlyFrom.length === 0 ? {} : { in: [...onlyFrom] }),
    ...(neverFrom.length === 0 ? {} : { not_in: [...neverFrom] }),
  }
  return {
    name: name.trim(),
    policies: policiesOf(draft, surroundings),
    ...(Object.keys(requestIp).length === 0 ? {} : { condition: { request_ip: requestIp } }),
    ...(endsAt === undefined ? {} : { expires_on: `${new Date(endsAt).toISOString().slice(0, 19)}Z` }),
  }
}

/** The first missing input; undefined when the draft is complete. */
export function missingOf(draft: TokenDraft, surroundings: Surroundings): string | undefined {
  if (draft.name.trim() === '') return 'Enter a name.'
  if (draft.zones?.length === 0 && needsZones(draft, surroundings.rows)) return 'Select at least one zone.'
  if (policiesOf(draft, surroundings).length === 0) return 'Select at least one permission.'
  return undefined
}

export function needsZones({ everything, levels }: TokenDraft, rows: readonly PermissionRow[]): boolean {
  return everything || rows.some(row => row.scope === 'zone' && (levels[row.key] ?? 'none') !== 'none')
}

function policiesOf(draft: TokenDraft, { rows, everythingId, accountId, owner }: Surroundings): Policy[] {
  const scopes: readonly GroupScope[] = owner === 'user' ? ['zone', 'account', 'user'] : ['zone', 'account']
  return scopes.flatMap(scope => {
    const groups =
      draft.everything && everythingId !== undefined ? [everythingId] : groupsOf(draft, rows, scope)
    const resources = resourcesOf(scope, draft, accountId)
    if (groups.length === 0 || Object.keys(resources).length === 0) return []
    return [{ effect: 'allow' as const, permission_groups: groups.map(id => ({ id })), resources }]
  })
}

/** Write includes read, so one group suffices. */
function groupsOf(
  { levels }: TokenDraft,
  rows: readonly PermissionRow[],
  scope: GroupScope,
): readonly string[] {
  return rows
    .filter(row => row.scope === scope)
    .flatMap(row => {
      const level = levels[row.key] ?? 'none'
      const group = level === 'none' ? undefined : row[level]
      return group === undefined ? [] : [group.id]
    })
}

function resourcesOf(scope: GroupScope, { zones }: TokenDraft, accountId: string): Record<string, unknown> {
  if (scope === 'account') return { [`com.cloudflare.api.account.${accountId}`]: '*' }
  if (scope === 'user') return { 'com.cloudflare.api.user.*': '*' }
  if (zones === undefined)
    return { [`com.cloudflare.api.account.${accountId}`]: { 'com.cloudflare.api.account.zone.*': '*' } }
  return Object.fromEntries(zones.map(({ id }) => [`com.cloudflare.api.account.zone.${id}`, '*']))
}
