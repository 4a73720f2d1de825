import type { JsonObject } from '../model/resource.ts'
import type { Api } from './context.ts'
import { type DescribedRoute, openApiDocument } from './openapi-document.ts'
import { referencePage, referencePageHeaders, referenceStyle } from './openapi-page.ts'

/**
 * Describes the API for programs, at `/client/v4/openapi.json`, and for people, at `/docs/api`. To be called before the
 * routes are added, so that it learns of each.
 */
export function describeApi(app: Api): void {
  const routes: DescribedRoute[] = []
  app.addHook('onRoute', ({ method, url, schema }) => {
    for (const one of [method].flat()) if (one !== 'HEAD') routes.push({ method: one, url, schema })
  })
  const made: { document?: JsonObject; page?: string } = {}
  const document = () => {
    made.document ??= openApiDocument(routes)
    return made.document
  }
  const page = () => {
    made.page ??= referencePage(document())
    return made.page
  }
  app.get('/client/v4/openapi.json', async () => document())
  app.get('/docs/api', (_request, reply) => reply.headers(referencePageHeaders).send(page()))
  app.get('/docs/api.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(referenceStyle))
}
