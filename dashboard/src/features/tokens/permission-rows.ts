import type { PermissionGroup } from '../../api/types.ts'

export type GroupScope = 'zone' | 'account' | 'user'

/** One area of permissions: read, or write, which includes read. */
export interface PermissionRow {
  readonly key: string
  readonly name: string
  readonly scope: GroupScope
  readonly read: PermissionGroup | undefined
  readonly write: PermissionGroup | undefined
}

export type Level = 'none' | 'read' | 'write'

export const scopeTitles: Readonly<Record<GroupScope, string>> = {
  zone: 'Zones',
  account: 'Account',
  user: 'User',
}

/** The API's pairs of Read and Write, in its order. */
export function permissionRows(groups: readonly PermissionGroup[]): readonly PermissionRow[] {
  const rows = new Map<string, { -readonly [K in keyof PermissionRow]: PermissionRow[K] }>()
  for (const group of groups) {
    const [, name, level] = /^(.+) (Read|Write)$/.exec(group.name) ?? []
    const scope = scopeOf(group)
    if (name === undefined || scope === undefined) continue
    const key = `${scope} ${name}`
    const row = rows.get(key) ?? { key, name, scope, read: undefined, write: undefined }
    row[level === 'Read' ? 'read' : 'write'] = group
    rows.set(key, row)
  }
  return [...rows.values()]
}

/** The group with all permissions: it covers accounts, zones and users. */
export function everythingGroup(groups: readonly PermissionGroup[]): PermissionGroup | undefined {
  return groups.find(group => group.scopes.length > 1)
}

/** Undefined for a group of several scopes. */
function scopeOf({ scopes }: PermissionGroup): GroupScope | undefined {
  const last = scopes.length === 1 ? scopes[0]!.split('.').at(-1) : undefined
  return last === 'zone' || last === 'account' || last === 'user' ? last : undefined
}
