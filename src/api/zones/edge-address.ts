import { Type } from '@fastify/type-provider-typebox'
import type { ApiDeps } from '../deps.ts'
import type { Api } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { describedText, nullable } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'

export const edgeAddressSchema = Type.Object({
  url: nullable(describedText('null when the edge runs in another process, or has unix sockets only')),
})

const described = operationsOf('Zones')('getEdgeAddress', 'Get the address of the edge', 'known', {
  result: edgeAddressSchema,
})

/** The address of the edge that serves the zones of an account; Sluice's own. All valid credentials may ask. */
export function edgeAddressRoutes(app: Api, { edgeUrl }: Pick<ApiDeps, 'edgeUrl'>): void {
  app.get('/edge', { config: described }, async () => success({ url: edgeUrl() ?? null }))
}
