import type { JsonObject } from '../../model/resource.ts'
import type { Api } from '../http/context.ts'
import { type DescribedRoute, openApiDocument } from './document.ts'
import { operationsOf, textAnswer } from './operation.ts'
import { referencePage, referencePageHeaders, referenceStyle } from './page.ts'

const operation = operationsOf('System')
const describedDocument = operation('getOpenApi', 'This document', 'open', {
  answers: { 200: { description: 'This document', content: { 'application/json': {} } } },
})
const describedPage = operation('getReferencePage', 'The API reference as a page', 'open', {
  answers: textAnswer('text/html'),
})
const describedStyle = operation('getReferenceStyle', 'Style of the reference page', 'open', {
  answers: textAnswer('text/css'),
})

/**
 * Serves the OpenAPI document at `/client/v4/openapi.json` and its page at `/docs/api`. It must be called before the
 * routes are added, so that it sees each of them.
 */
export function describeApi(app: Api): void {
  const routes: DescribedRoute[] = []
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    const operation = config?.operation
    for (const one of [method].flat())
      if (one !== 'HEAD' && operation !== undefined) routes.push({ method: one, url, schema, operation })
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
  app.get('/client/v4/openapi.json', { config: describedDocument }, async () => document())
  app.get('/docs/api', { config: describedPage }, (_request, reply) =>
    reply.headers(referencePageHeaders).send(page()),
  )
  app.get('/docs/api.css', { config: describedStyle }, (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(referenceStyle),
  )
}
