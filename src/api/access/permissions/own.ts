import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { type Api, accountOf, zoneOf } from '../../http/context.ts'
import { success } from '../../http/envelope.ts'
import { text } from '../../http/schemas.ts'
import { operationsOf } from '../../openapi/operation.ts'
import { credentialsOf } from '../auth.ts'
import { accountResource, newZoneResource, zoneResource } from './check.ts'
import { type Area, areaNames, groupOf, type Level } from './groups.ts'
import type { Resource } from './resources.ts'

const levels: readonly Level[] = ['read', 'write']

export const accountPermissionsSchema = Type.Object({
  account: Type.Array(text, { description: 'names of permission groups' }),
  zones: Type.Array(text, { description: 'on every zone of the account, future zones included' }),
  user: Type.Array(text, { description: 'on the user behind the credentials' }),
})

export const zonePermissionsSchema = Type.Object({
  zone: Type.Array(text, { description: 'names of permission groups' }),
})

const operation = operationsOf('Tokens')
const described = {
  account: operation(
    'getAccountPermissions',
    'Get the permissions of the credentials on the account, its zones and their user',
    'known',
    { result: accountPermissionsSchema },
  ),
  zone: operation('getZonePermissions', 'Get the permissions of the credentials on the zone', 'known', {
    result: zonePermissionsSchema,
  }),
}

/**
 * The permissions of the credentials at an account, so that a page or script can check them before a request. Every
 * valid credential may ask; for an account or zone out of its reach, the lists are empty.
 */
export function accountPermissionRoutes(app: Api): void {
  app.get('/permissions', { config: described.account }, async request => {
    const { id } = accountOf(request)
    const user: Resource = { scope: 'user', id: credentialsOf(request).userId, accountId: '' }
    return success({
      account: granted(request, accountResource(id)),
      // A permission for a future zone is a permission for all zones.
      zones: granted(request, newZoneResource(id)),
      user: granted(request, user),
    })
  })
}

/** The same at one zone. */
export function zonePermissionRoutes(app: Api): void {
  app.get('/permissions', { config: described.zone }, async request =>
    success({ zone: granted(request, zoneResource(zoneOf(request))) }),
  )
}

/** Names of the permission groups of the resource’s scope that are allowed there. */
function granted(request: FastifyRequest, resource: Resource): string[] {
  const { rights } = credentialsOf(request)
  const pairs = areaNames.flatMap(area => levels.map((level): [Area, Level] => [area, level]))
  const names = pairs
    .filter(
      ([area, level]) =>
        groupOf(area, level).scopes.includes(resource.scope) && rights.may(area, level, resource),
    )
    .map(([area, level]) => groupOf(area, level).name)
  // Read and write group of a read-only area are the same.
  return [...new Set(names)]
}
