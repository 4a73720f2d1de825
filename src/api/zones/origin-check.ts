import { Type } from '@fastify/type-provider-typebox'
import { Agent } from 'undici'
import { unixPathOf } from '../../kit/unix-url.ts'
import type { Reach } from '../../model/settings/index.ts'
import { failureWords, guardedConnector } from '../../outgoing/index.ts'
import { outgoingLimits } from '../../outgoing/limits.ts'
import { authorize, newZoneResource } from '../access/permissions/check.ts'
import { type Api, accountOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { describedText, nullable, strict, type Wire } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { domainName, originUrl } from './input.ts'
import { originCheckLimits } from './limits.ts'
import { type OriginDeps, originBounds } from './origin-address.ts'

const body = Type.Object(
  {
    origin: Type.Object({ url: Type.String({ minLength: 1, maxLength: 2048 }) }, strict),
    host: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 253,
        description: 'name of the zone, sent as the Host header',
      }),
    ),
  },
  strict,
)

export const originCheckSchema = Type.Object({
  reachable: Type.Boolean(),
  status: nullable(Type.Integer({ description: 'of the response to GET /' })),
  message: describedText('human-readable'),
})

const described = operationsOf('Zones')(
  'checkOrigin',
  'Check that an origin answers; needs Zone Write on all zones of the account',
  'known',
  { result: originCheckSchema },
)

/** Checks that an origin answers before a zone uses it. Sluice's own; the addresses allowed for origins apply. */
export function originCheckRoutes(app: Api, deps: OriginDeps): void {
  app.post('/origin_check', { config: described, schema: { body } }, async request => {
    authorize(request, { area: 'zone', level: 'write', resource: newZoneResource(accountOf(request).id) })
    const { origin, host } = request.body
    const url = originUrl(origin.url, originBounds(deps))
    return success(await askOrigin(url, host === undefined ? undefined : domainName(host), deps.origins))
  })
}

/** One request as the edge would send it; a response with any status counts. */
async function askOrigin(
  url: string,
  host: string | undefined,
  reach: Reach,
): Promise<Wire<typeof originCheckSchema>> {
  const socketPath = unixPathOf(url)
  const servername = host === undefined ? {} : { servername: host }
  const agent = new Agent({
    connect:
      socketPath === undefined
        ? guardedConnector(
            { reach, setting: 'SLUICE_ORIGINS' },
            { timeout: originCheckLimits.originCheckMs, ...servername },
          )
        : { socketPath, timeout: originCheckLimits.originCheckMs },
    headersTimeout: originCheckLimits.originCheckMs,
    maxHeaderSize: outgoingLimits.originHeaderBytesMax,
  })
  try {
    const { statusCode, body } = await agent.request({
      origin: socketPath === undefined ? url : 'http://unix',
      path: '/',
      method: 'GET',
      headers: { 'user-agent': 'sluice-origin-check', ...(host === undefined ? {} : { host }) },
      signal: AbortSignal.timeout(2 * originCheckLimits.originCheckMs),
    })
    body.on('error', () => {}).destroy()
    return { reachable: true, status: statusCode, message: `it answers with status ${statusCode}` }
  } catch (error) {
    return { reachable: false, status: null, message: failureWords(new URL(url), error) }
  } finally {
    void agent.destroy()
  }
}
