import { Type } from '@fastify/type-provider-typebox'
import { Agent } from 'undici'
import type { Reach } from '../../model/settings/index.ts'
import { AddressRefusedError, guardedConnector } from '../../outgoing/index.ts'
import { outgoingLimits } from '../../outgoing/limits.ts'
import { authorize, newZoneResource } from '../access/permissions/check.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, accountOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { describedText, nullable, strict, type Wire } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { domainName, listenersAt, originUrl } from './input.ts'

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

/** Short, because a user waits for the response. */
const timeoutMs = 5000

/** Checks that an origin answers before a zone uses it. Sluice's own; the addresses allowed for origins apply. */
export function originCheckRoutes(
  app: Api,
  { edgeUrl, origins }: Pick<ApiDeps, 'edgeUrl' | 'origins'>,
): void {
  app.post('/origin_check', { config: described, schema: { body } }, async request => {
    authorize(request, { area: 'zone', level: 'write', resource: newZoneResource(accountOf(request).id) })
    const { origin, host } = request.body
    const url = originUrl(origin.url, listenersAt(edgeUrl()))
    return success(await askOrigin(url, host === undefined ? undefined : domainName(host), origins))
  })
}

/** One request as the edge would send it; a response with any status counts. */
async function askOrigin(
  url: string,
  host: string | undefined,
  reach: Reach,
): Promise<Wire<typeof originCheckSchema>> {
  const agent = new Agent({
    connect: guardedConnector(
      { reach, setting: 'SLUICE_ORIGINS' },
      { timeout: timeoutMs, ...(host === undefined ? {} : { servername: host }) },
    ),
    headersTimeout: timeoutMs,
    maxHeaderSize: outgoingLimits.originHeaderBytesMax,
  })
  try {
    const { statusCode, body } = await agent.request({
      origin: url,
      path: '/',
      method: 'GET',
      headers: { 'user-agent': 'sluice-origin-check', ...(host === undefined ? {} : { host }) },
      signal: AbortSignal.timeout(2 * timeoutMs),
    })
    body.on('error', () => {}).destroy()
    return { reachable: true, status: statusCode, message: `it answers with status ${statusCode}` }
  } catch (error) {
    return { reachable: false, status: null, message: failureText(new URL(url), error) }
  } finally {
    void agent.destroy()
  }
}

function failureText({ hostname, host, protocol }: URL, error: unknown): string {
  if (error instanceof AddressRefusedError) return error.message
  const { code = '', message, name } = error as { code?: string; message?: string; name?: string }
  if (code === 'ENOTFOUND') return `the name ${hostname} has no address`
  if (code === 'EAI_AGAIN') return `the name server does not answer for ${hostname}`
  if (code === 'ECONNREFUSED') return `${host} refuses connections: nothing listens there`
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return `${host} does not answer`
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || name === 'TimeoutError')
    return `${host} accepts connections but does not answer the request`
  if (name === 'HTTPParserError' || code.startsWith('HPE_')) return `${host} does not speak HTTP/1.1`
  if (protocol === 'https:') {
    if (code.startsWith('ERR_SSL') || code === 'EPROTO' || code === 'ECONNRESET')
      return `${host} does not speak TLS on this port`
    if (/CERT|SIGNATURE|TLS/.test(code)) return `its certificate is not valid: ${message}`
  }
  return `${host} cannot be reached: ${code || message}`
}
