import type { FastifyRequest } from 'fastify'
import type { Api } from '../../http/context.ts'
import { authorize } from './check.ts'

/**
 * Every route describes its operation, and its permission is checked before the route sees the request.
 * @throws Error at the start for a route without an operation
 */
export function checkPermissions(app: Api): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.operation === undefined)
      throw new Error(`${method} ${url} has no operation in its config, so that it would need no permission`)
  })
  // Behind every onRequest hook: the credentials and the account or zone of the path are known by then.
  app.addHook('preParsing', async request => requireNeed(request))
}

function requireNeed(request: FastifyRequest): void {
  const { url, config } = request.routeOptions
  // Paths without a route have no url; the answer is 404.
  if (url === undefined) return
  const need = config.operation?.need
  if (typeof need === 'object') authorize(request, { area: need[0], level: need[1] })
}
