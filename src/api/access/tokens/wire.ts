import { Type } from '@fastify/type-provider-typebox'
import type { ApiToken, TokenPolicy } from '../../../model/resource.ts'
import type { Message } from '../../http/envelope.ts'
import { describedText, id, optional, text, time, type Wire } from '../../http/schemas.ts'
import { tokenStatus } from '../auth.ts'
import { groupById, type PermissionGroup } from '../permissions/groups.ts'

const policySchema = Type.Object({
  id,
  effect: Type.Enum(['allow', 'deny']),
  permission_groups: Type.Array(Type.Object({ id, name: text })),
  resources: Type.Object(
    {},
    { description: 'Resource name → `*`, or an object of the zones inside an account' },
  ),
})

const blocks = optional(Type.Array(text, { description: 'IP addresses and CIDR blocks' }))

const members = {
  id,
  name: text,
  status: Type.Enum(['active', 'disabled', 'expired']),
  issued_on: time,
  modified_on: time,
  last_used_on: optional(time),
  not_before: optional(time),
  expires_on: optional(time),
  policies: Type.Array(policySchema),
  condition: optional(Type.Object({ request_ip: optional(Type.Object({ in: blocks, not_in: blocks })) })),
}

export const tokenSchema = Type.Object(members)
export const createdTokenSchema = Type.Object({
  ...members,
  value: describedText('the secret, shown this once'),
})
export const tokenValueSchema = describedText('the new secret, shown this once')
export const tokenStatusSchema = Type.Object({
  id,
  status: members.status,
  not_before: optional(time),
  expires_on: optional(time),
})

export const permissionGroupSchema = Type.Object({
  id,
  name: text,
  scopes: Type.Array(text),
  category: optional(describedText('absent where Sluice has no such feature')),
  description: optional(describedText('present where the group grants nothing')),
  is_selectable: Type.Boolean({
    description: 'whether the credentials of the request can grant it to a token',
  }),
})

/** A token as the API shows it: everything but its secret. */
export function tokenToWire(token: ApiToken, nowMs: number): Wire<typeof tokenSchema> {
  const { requestIp } = token.condition ?? {}
  return {
    id: token.id,
    name: token.name,
    status: tokenStatus(token, nowMs),
    issued_on: token.createdOn,
    modified_on: token.modifiedOn,
    ...(token.lastUsedOn === undefined ? {} : { last_used_on: token.lastUsedOn }),
    ...(token.notBefore === undefined ? {} : { not_before: token.notBefore }),
    ...(token.expiresOn === undefined ? {} : { expires_on: token.expiresOn }),
    policies: token.policies.map(policyToWire),
    ...(requestIp === undefined
      ? {}
      : {
          condition: {
            request_ip: {
              ...(requestIp.in === undefined ? {} : { in: requestIp.in }),
              ...(requestIp.notIn === undefined ? {} : { not_in: requestIp.notIn }),
            },
          },
        }),
  }
}

function policyToWire(policy: TokenPolicy): Wire<typeof policySchema> {
  return {
    id: policy.id,
    effect: policy.effect,
    resources: policy.resources,
    permission_groups: policy.permissionGroups.map(({ id }) => ({ id, name: groupById(id)?.name ?? '' })),
  }
}

const noEffect = 'Grants nothing: Sluice has no such feature.'

/** One message for each permission group of the policies that grants nothing. */
export function ineffectiveGroups(policies: readonly TokenPolicy[]): readonly Message[] {
  const ids = new Set(policies.flatMap(policy => policy.permissionGroups.map(group => group.id)))
  return [...ids].flatMap(id => {
    const group = groupById(id)
    if (group === undefined || group.category !== undefined) return []
    return [
      { code: 10000, message: `'${group.name}' grants nothing: Sluice has no such feature`, type: null },
    ]
  })
}

/** @param selectable whether the credentials of the request can grant it to a token */
export function groupToWire(group: PermissionGroup, selectable: boolean): Wire<typeof permissionGroupSchema> {
  return {
    id: group.id,
    name: group.name,
    scopes: group.scopes.map(scope => scopeNames[scope]),
    ...(group.category === undefined ? { description: noEffect } : { category: group.category }),
    is_selectable: selectable,
  }
}

export const scopeNames = {
  account: 'com.cloudflare.api.account',
  zone: 'com.cloudflare.api.account.zone',
  user: 'com.cloudflare.api.user',
  bucket: 'com.cloudflare.edge.r2.bucket',
} as const
