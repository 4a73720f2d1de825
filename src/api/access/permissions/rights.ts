import type { TokenPolicy } from '../../../model/resource.ts'
import { type Area, groupById, groupOf, type Level, superAdministrator, writeGroupOf } from './groups.ts'
import { any, covers, overlaps, type Resource, type ResourcePattern, readResources } from './resources.ts'

/** The rights of credentials. */
export interface Rights {
  may(area: Area, level: Level, resource: Resource): boolean
  /** Whether this permission group is allowed anywhere. */
  has(groupId: string): boolean
  /** Whether any allowed permission covers this resource. */
  reaches(resource: Resource): boolean
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

export const allRights: Rights = {
  may: () => true,
  has: () => true,
  reaches: () => true,
  missing: () => undefined,
}

/** The rights that both allow: a token of a user never exceeds the user's own rights. */
export function commonRights(a: Rights, b: Rights): Rights {
  return {
    may: (area, level, resource) => a.may(area, level, resource) && b.may(area, level, resource),
    has: groupId => a.has(groupId) && b.has(groupId),
    reaches: resource => a.reaches(resource) && b.reaches(resource),
    missing: (policies, accountOfZone) =>
      a.missing(policies, accountOfZone) ?? b.missing(policies, accountOfZone),
  }
}

interface Statement {
  readonly allow: boolean
  readonly groups: ReadonlySet<string>
  readonly patterns: readonly ResourcePattern[]
}

/** A denial outweighs every allowance; a permission without an allowance is refused. */
export function rightsOf(policies: readonly TokenPolicy[]): Rights {
  const statements = policies.map(statementOf)
  const allows = statements.filter(statement => statement.allow)
  const denials = statements.filter(statement => !statement.allow)

  function denied(groupId: string, resource: Resource): boolean {
    return denials.some(denial => names(denial, groupId) && coversResource(denial, resource))
  }

  function granted(groupId: string, resource: Resource): boolean {
    return (
      !denied(groupId, resource) &&
      allows.some(allow => names(allow, groupId) && coversResource(allow, resource))
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
    may(area, level, resource) {
      const write = groupOf(area, 'write').id
      if (level === 'write') return granted(write, resource)
      const read = groupOf(area, 'read').id
      return granted(read, resource) || (!denied(read, resource) && granted(write, resource))
    },
    has: groupId => {
      const write = writeGroupOf(groupId)
      return allows.some(allow => names(allow, groupId) || (write !== undefined && names(allow, write.id)))
    },
    reaches: resource =>
      allows.some(
        allow =>
          coversResource(allow, resource) &&
          [...allow.groups].some(id => fits(id, resource) && grantsSomething(id) && !denied(id, resource)),
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

/** Write permission includes the right to grant read permission. */
function includes(grants: Grants, groupId: string, resource: ResourcePattern): boolean {
  const write = writeGroupOf(groupId)
  return grants(groupId, resource) || (write !== undefined && grants(write.id, resource))
}

/** Whether a denial restricts the group. */
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
    // Unreadable resources were never accepted; they grant nothing.
    patterns: read.ok ? read.patterns : [],
  }
}

function names(statement: Statement, groupId: string): boolean {
  return statement.groups.has(groupId) || statement.groups.has(superAdministrator.id)
}

function coversResource(statement: Statement, resource: Resource): boolean {
  return statement.patterns.some(pattern => covers(pattern, resource))
}

function fits(groupId: string, { scope }: Pick<Resource, 'scope'>): boolean {
  return groupById(groupId)?.scopes.includes(scope) ?? false
}

/** Groups of other products grant nothing here. */
function grantsSomething(groupId: string): boolean {
  return groupById(groupId)?.category !== undefined
}
