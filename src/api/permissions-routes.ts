import type { FastifyRequest } from 'fastify'
import type { Api } from './context.ts'
import type { Operation } from './openapi-operation.ts'
import { operations } from './openapi-operations.ts'
import { authorize } from './permissions-check.ts'

/** Method and path as the table of operations writes them. */
export function operationKey(method: string, url: string): string {
  return `${method} ${url === '/' ? url : url.replace(/\/$/, '')}`
}

export function operationOf(method: string, url: string): Operation | undefined {
  const key = operationKey(method, url)
  return Object.hasOwn(operations, key) ? operations[key] : undefined
}

/**
 * Every route has an entry in the table of operations, and its permission is checked before the route sees the request.
 * @throws Error at the start for a route that has none
 */
export function checkPermissions(app: Api): void {
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) {
      if (one !== 'HEAD' && operationOf(one, url) === undefined)
        throw new Error(
          `${one} ${url} has no entry in openapi-operations.ts, so that it would need no permission`,
        )
    }
  })
  // Behind every onRequest hook: the credentials and the account or zone of the path are known by then.
  app.addHook('preParsing', async request => requireNeed(request))
}

function requireNeed(request: FastifyRequest): void {
  const { method, url } = request.routeOptions
  // Paths without a route have no url; the answer is 404.
  if (url === undefined) return
  const need = operationOf(method === 'HEAD' ? 'GET' : String(method), url)?.need
  if (typeof need === 'object') authorize(request, { area: need[0], level: need[1] })
}
