import { Type } from '@fastify/type-provider-typebox'
import type { Api } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { text } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'

export const ipRangesSchema = Type.Object({
  ipv4_cidrs: Type.Array(text),
  ipv6_cidrs: Type.Array(text),
  etag: text,
})

const described = operationsOf('System')('listIpRanges', 'List the address ranges of the edges', 'open', {
  result: ipRangesSchema,
})

const noRanges = {
  code: 10000,
  message: 'Sluice knows no address ranges: origins are contacted from the addresses of your edges',
  type: null,
}

/** The ranges are empty: a client that allows them at an origin allows no address that is not an edge's. */
export function ipRangeRoutes(app: Api): void {
  app.get('/ips', { config: described }, async () =>
    success({ ipv4_cidrs: [], ipv6_cidrs: [], etag: '0' }, [noRanges]),
  )
}
