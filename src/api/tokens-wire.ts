import type { ApiToken, TokenPolicy } from '../model/resource.ts'
import { tokenStatus } from './auth.ts'
import { groupById, type PermissionGroup } from './permissions-groups.ts'

/** A token as the API shows it: everything but its secret. */
export function tokenToWire(token: ApiToken, nowMs: number): object {
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

function policyToWire(policy: TokenPolicy): object {
  return {
    id: policy.id,
    effect: policy.effect,
    resources: policy.resources,
    permission_groups: policy.permissionGroups.map(({ id }) => ({ id, name: groupById(id)?.name ?? '' })),
  }
}

/** @param selectable may the credentials of the request give it to a token? */
export function groupToWire(group: PermissionGroup, selectable: boolean): object {
  return {
    id: group.id,
    name: group.name,
    scopes: group.scopes.map(scope => scopeNames[scope]),
    category: group.category,
    is_selectable: selectable,
  }
}

export const scopeNames = {
  account: 'com.cloudflare.api.account',
  zone: 'com.cloudflare.api.account.zone',
  user: 'com.cloudflare.api.user',
} as const
