import type { FastifyRequest } from 'fastify'
import { credentialsOf } from './auth.ts'
import { type Api, accountOf, zoneOf } from './context.ts'
import { success } from './envelope.ts'
import { accountPlace, newZonePlace, zonePlace } from './permissions-check.ts'
import { type Area, areaNames, groupOf, type Level } from './permissions-groups.ts'
import type { Place } from './permissions-resources.ts'

const levels: readonly Level[] = ['read', 'write']

/**
 * What the credentials of the request may do at an account, so that a page or script can say so before it tries. Any
 * credentials may ask; of an account or zone that they do not reach they learn that they may do nothing there.
 */
export function accountPermissionRoutes(app: Api): void {
  app.get('/permissions', async request => {
    const { id } = accountOf(request)
    const user: Place = { scope: 'user', id: credentialsOf(request).userId, accountId: '' }
    return success({
      account: granted(request, accountPlace(id)),
      // What is allowed on a zone to come is allowed on all of them.
      zones: granted(request, newZonePlace(id)),
      user: granted(request, user),
    })
  })
}

/** The same at one zone. */
export function zonePermissionRoutes(app: Api): void {
  app.get('/permissions', async request => success({ zone: granted(request, zonePlace(zoneOf(request))) }))
}

/** Names of the permission groups of the place’s scope that are allowed there. */
function granted(request: FastifyRequest, place: Place): string[] {
  const { rights } = credentialsOf(request)
  const pairs = areaNames.flatMap(area => levels.map((level): [Area, Level] => [area, level]))
  const names = pairs
    .filter(
      ([area, level]) => groupOf(area, level).scopes.includes(place.scope) && rights.may(area, level, place),
    )
    .map(([area, level]) => groupOf(area, level).name)
  // Where there is nothing to write, one group is both.
  return [...new Set(names)]
}
