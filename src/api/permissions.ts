import type { TokenPolicy } from '../model/resource.ts'
import {
  type Area,
  groupById,
  groupOf,
  type Level,
  superAdministrator,
  writeGroupOf,
} from './permissions-groups.ts'
import {
  any,
  covers,
  overlaps,
  type Place,
  type ResourcePattern,
  readResources,
} from './permissions-resources.ts'

/** What the bearer of credentials may do. */
export interface Rights {
  may(area: Area, level: Level, place: Place): boolean
  /** Is this permission group allowed anywhere? */
  has(groupId: string): boolean
  /** Does an allowed permission of any kind reach this place? */
  reaches(place: Place): boolean
  /**
   * The first permission of these policies that these rights do not include; undefined when they include all. Where
   * these rights deny a part of it, they do not include it, even if the policies deny that part too.
   * @param accountOfZone id of a zone → id of its account
   */
  missing(policies: readonly TokenPolicy[], accountOfZone: ReadonlyMap<string, string>): Missing | undefined
}

export interface Missing {
  readonly group: string
  readonly resource: ResourcePattern
}

/** Of a user who signs in with the key pair. */
export const allRights: Rights = {
  may: () => true,
  has: () => true,
  reaches: () => true,
  missing: () => undefined,
}

interface Statement {
  readonly allow: boolean
  readonly groups: ReadonlySet<string>
  readonly patterns: readonly ResourcePattern[]
}

/** A denial outweighs every allowance; what nothing allows is refused. */
export function rightsOf(policies: readonly TokenPolicy[]): Rights {
  const statements = policies.map(statementOf)
  const allows = statements.filter(statement => statement.allow)
  const denials = statements.filter(statement => !statement.allow)

  function denied(groupId: string, place: Place): boolean {
    return denials.some(denial => names(denial, groupId) && reachesPlace(denial, place))
  }

  function granted(groupId: string, place: Place): boolean {
    return (
      !denied(groupId, place) && allows.some(allow => names(allow, groupId) && reachesPlace(allow, place))
    )
  }

  function grantsAll(groupId: string, resource: ResourcePattern): boolean {
    return (
      allows.some(allow => names(allow, groupId) && allow.patterns.some(own => covers(own, resource))) &&
      !denials.some(
        denial => takesFrom(denial, groupId) && denial.patterns.some(own => overlaps(own, resource)),
      )
    )
  }

  return {
    may(area, level, place) {
      const write = groupOf(area, 'write').id
      if (level === 'write') return granted(write, place)
      const read = groupOf(area, 'read').id
      return granted(read, place) || (!denied(read, place) && granted(write, place))
    },
    has: groupId => {
      const write = writeGroupOf(groupId)
      return allows.some(allow => names(allow, groupId) || (write !== undefined && names(allow, write.id)))
    },
    reaches: place =>
      allows.some(
        allow =>
          reachesPlace(allow, place) && [...allow.groups].some(id => fits(id, place) && !denied(id, place)),
      ),
    missing(wanted, accountOfZone) {
      for (const { allow, groups, patterns } of wanted.map(statementOf)) {
        if (!allow) continue
        const located = patterns.map(pattern => locate(pattern, accountOfZone))
        for (const groupId of groups) {
          const without = located.find(
            pattern => fits(groupId, pattern) && !includes(grantsAll, groupId, pattern),
          )
          if (without !== undefined) return { group: groupById(groupId)?.name ?? groupId, resource: without }
        }
      }
      return undefined
    },
  }
}

type Grants = (groupId: string, resource: ResourcePattern) => boolean

/** Whoever may write may give away reading. */
function includes(grants: Grants, groupId: string, resource: ResourcePattern): boolean {
  const write = writeGroupOf(groupId)
  return grants(groupId, resource) || (write !== undefined && grants(write.id, resource))
}

/** Does a denial take something away from what the group gives? */
function takesFrom(denial: Statement, groupId: string): boolean {
  if (groupId === superAdministrator.id || names(denial, groupId)) return true
  return [...denial.groups].some(denied => writeGroupOf(denied)?.id === groupId)
}

/** A zone named by its id alone is in its account. */
function locate(pattern: ResourcePattern, accountOfZone: ReadonlyMap<string, string>): ResourcePattern {
  if (pattern.scope !== 'zone' || pattern.id === any || pattern.accountId !== any) return pattern
  return { ...pattern, accountId: accountOfZone.get(pattern.id) ?? any }
}

function statementOf(policy: TokenPolicy): Statement {
  const read = readResources(policy.resources)
  return {
    allow: policy.effect === 'allow',
    groups: new Set(policy.permissionGroups.map(group => group.id)),
    // What cannot be read was never accepted; it grants nothing.
    patterns: read.ok ? read.patterns : [],
  }
}

function names(statement: Statement, groupId: string): boolean {
  return statement.groups.has(groupId) || statement.groups.has(superAdministrator.id)
}

function reachesPlace(statement: Statement, place: Place): boolean {
  return statement.patterns.some(pattern => covers(pattern, place))
}

function fits(groupId: string, { scope }: Pick<Place, 'scope'>): boolean {
  return groupById(groupId)?.scopes.includes(scope) ?? false
}
