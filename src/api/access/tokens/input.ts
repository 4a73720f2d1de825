import { type Static, Type } from '@fastify/type-provider-typebox'
import { parseCidr } from '../../../kit/cidr.ts'
import { newId } from '../../../kit/ids.ts'
import type { ApiToken, JsonObject, TokenCondition, TokenPolicy } from '../../../model/resource.ts'
import { refusal } from '../../http/errors.ts'
import { strict } from '../../http/schemas.ts'
import { accessLimits } from '../limits.ts'
import { groupById } from '../permissions/groups.ts'
import { any, type ResourcePattern, readResources } from '../permissions/resources.ts'

const time = Type.String({ maxLength: 40 })
const blocks = Type.Array(Type.String({ maxLength: 50 }), { maxItems: accessLimits.conditionBlocksMax })

/** Clients may echo `name` and `meta` of permission groups; only the id counts. */
const policy = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: 32 })),
    effect: Type.Enum(['allow', 'deny']),
    permission_groups: Type.Array(
      Type.Object(
        {
          id: Type.String({ maxLength: 64 }),
          name: Type.Optional(Type.String({ maxLength: 200 })),
          meta: Type.Optional(Type.Object({})),
          // Clients of version 0 echo the groups that they have listed.
          scopes: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 10 })),
        },
        strict,
      ),
      { minItems: 1, maxItems: accessLimits.policyGroupsMax },
    ),
    resources: Type.Object({}),
  },
  strict,
)

/** Body of create and update: an update replaces the token whole. */
export const tokenBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 120 }),
    policies: Type.Array(policy, { minItems: 1, maxItems: accessLimits.tokenPoliciesMax }),
    condition: Type.Optional(
      Type.Object(
        {
          request_ip: Type.Optional(
            Type.Object({ in: Type.Optional(blocks), not_in: Type.Optional(blocks) }, strict),
          ),
        },
        strict,
      ),
    ),
    not_before: Type.Optional(time),
    expires_on: Type.Optional(time),
    status: Type.Optional(Type.Enum(['active', 'disabled', 'expired'])),
  },
  strict,
)

export type TokenBody = Static<typeof tokenBody>
type PolicyBody = TokenBody['policies'][number]

/** The settings of a token that its body can change. */
export type TokenSettings = Pick<
  ApiToken,
  'name' | 'status' | 'policies' | 'condition' | 'notBefore' | 'expiresOn'
>

/**
 * @param current the token that an update replaces: policies keep their ids, and `expired` keeps the status
 * @throws ApiError 400 with a pointer to the first error
 */
export function readTokenBody(body: TokenBody, current?: ApiToken): TokenSettings {
  const known = new Set(current?.policies.map(({ id }) => id))
  const condition = readCondition(body.condition)
  const notBefore = readTime(body.not_before, 'not_before')
  const expiresOn = readTime(body.expires_on, 'expires_on')
  if (notBefore !== undefined && expiresOn !== undefined && Date.parse(expiresOn) <= Date.parse(notBefore)) {
    throw badValue('expires_on', body.expires_on ?? '', 'it is not after not_before', '/expires_on')
  }
  const status = body.status === 'expired' ? undefined : body.status
  return {
    name: body.name,
    status: status ?? current?.status ?? 'active',
    policies: body.policies.map((wanted, at) => readPolicy(wanted, `/policies/${at}`, known)),
    ...(condition === undefined ? {} : { condition }),
    ...(notBefore === undefined ? {} : { notBefore }),
    ...(expiresOn === undefined ? {} : { expiresOn }),
  }
}

function readPolicy(wanted: PolicyBody, pointer: string, known: ReadonlySet<string>): TokenPolicy {
  const resources = wanted.resources as JsonObject
  const patterns = readPatterns(resources, `${pointer}/resources`)
  for (const [at, { id }] of wanted.permission_groups.entries()) {
    const group = groupById(id)
    const groupPointer = `${pointer}/permission_groups/${at}/id`
    if (group === undefined)
      throw badValue(
        'permission_groups.id',
        id,
        'there is no such permission group; GET /user/tokens/permission_groups lists them',
        groupPointer,
      )
    if (!patterns.some(({ scope }) => group.scopes.includes(scope))) {
      const reason = `${group.name} applies to ${group.scopes.join(' or ')} resources, and the policy names none`
      throw badValue('permission_groups.id', id, reason, groupPointer)
    }
  }
  return {
    id: wanted.id !== undefined && known.has(wanted.id) ? wanted.id : newId(),
    effect: wanted.effect,
    permissionGroups: wanted.permission_groups.map(({ id }) => ({ id })),
    resources,
  }
}

function readPatterns(resources: JsonObject, pointer: string): readonly ResourcePattern[] {
  const read = readResources(resources)
  if (!read.ok) throw badValue('resources', JSON.stringify(resources), read.reason, pointer)
  const count = read.patterns.length
  if (count === 0) throw badValue('resources', '{}', 'it names no resource', pointer)
  if (count > accessLimits.policyResourcesMax) {
    const reason = `it names more than ${accessLimits.policyResourcesMax} resources`
    throw badValue('resources', String(count), reason, pointer)
  }
  return read.patterns
}

/**
 * A token that an account owns reaches that account and its zones only.
 * @throws ApiError 400 naming the first resource beyond it
 */
export function refuseBeyondAccount(
  policies: readonly TokenPolicy[],
  accountId: string,
  accountOfZone: ReadonlyMap<string, string>,
): void {
  for (const [at, { resources }] of policies.entries()) {
    const pointer = `/policies/${at}/resources`
    for (const pattern of readPatterns(resources, pointer)) {
      if (isInside(pattern, accountId, accountOfZone)) continue
      const reason =
        'a token of an account can name that account, its zones by id, and all zones inside the account'
      throw badValue('resources', resourceText(pattern), reason, pointer)
    }
  }
}

function isInside(
  { scope, id, accountId: within }: ResourcePattern,
  accountId: string,
  accountOfZone: ReadonlyMap<string, string>,
): boolean {
  if (scope === 'account') return id === accountId
  if (scope === 'user') return false
  return within === accountId || (within === any && accountOfZone.get(id) === accountId)
}

/** As policies write it; zones inside an account with the account before them. */
export function resourceText({ scope, id, accountId }: ResourcePattern): string {
  if (scope !== 'zone') return `com.cloudflare.api.${scope}.${id}`
  const zone = `com.cloudflare.api.account.zone.${id}`
  return accountId === any || id !== any ? zone : `com.cloudflare.api.account.${accountId} / ${zone}`
}

function readCondition(condition: TokenBody['condition']): TokenCondition | undefined {
  const { request_ip: requestIp } = condition ?? {}
  if (requestIp === undefined) return undefined
  for (const list of ['in', 'not_in'] as const) {
    for (const [at, block] of (requestIp[list] ?? []).entries()) {
      if (parseCidr(block) !== undefined) continue
      const pointer = `/condition/request_ip/${list}/${at}`
      throw badValue(`condition.request_ip.${list}`, block, 'it is not an IP address or CIDR block', pointer)
    }
  }
  return {
    requestIp: {
      ...(requestIp.in === undefined ? {} : { in: requestIp.in }),
      ...(requestIp.not_in === undefined ? {} : { notIn: requestIp.not_in }),
    },
  }
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

/** To the second, in UTC, as upstream shows these times. */
function readTime(text: string | undefined, field: string): string | undefined {
  if (text === undefined) return undefined
  if (!rfc3339.test(text) || Number.isNaN(Date.parse(text)))
    throw badValue(field, text, 'it is not a time such as 2027-01-31T12:00:00Z', `/${field}`)
  return `${new Date(text).toISOString().slice(0, 19)}Z`
}

function badValue(field: string, value: string, reason: string, pointer: string): Error {
  return refusal('badValue', { value: value.slice(0, 100), field, reason }, pointer)
}
