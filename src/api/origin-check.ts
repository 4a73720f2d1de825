import { Type } from '@fastify/type-provider-typebox'
import { Agent } from 'undici'
import { edgeLimits } from '../kit/limits.ts'
import { type Api, accountOf } from './context.ts'
import { success } from './envelope.ts'
import { authorize, newZonePlace } from './permissions-check.ts'
import { domainName, originUrl } from './zone-input.ts'

const strict = { additionalProperties: false }

const body = Type.Object(
  {
    origin: Type.Object({ url: Type.String({ minLength: 1, maxLength: 2048 }) }, strict),
    host: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 253,
        description: 'name of the zone, which the origin is asked for',
      }),
    ),
  },
  strict,
)

/** A person waits for the answer. */
const timeoutMs = 5000

/** Whether an origin answers, before a zone is made of it. Sluice's own; it may connect to what an origin may be. */
export function originCheckRoutes(app: Api): void {
  app.post('/origin_check', { schema: { body } }, async request => {
    authorize(request, { area: 'zone', level: 'write', place: newZonePlace(accountOf(request).id) })
    const { origin, host } = request.body
    return success(await askOrigin(originUrl(origin.url), host === undefined ? undefined : domainName(host)))
  })
}

interface OriginAnswer {
  readonly reachable: boolean
  /** Status of its answer to `GET /`. */
  readonly status: number | null
  readonly message: string
}

/** One request as the edge would make it: any answer will do, whatever its status. */
async function askOrigin(url: string, host: string | undefined): Promise<OriginAnswer> {
  const agent = new Agent({
    connect: { timeout: timeoutMs, ...(host === undefined ? {} : { servername: host }) },
    headersTimeout: timeoutMs,
    maxHeaderSize: edgeLimits.originHeaderBytesMax,
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
  const { code = '', message, name } = error as { code?: string; message?: string; name?: string }
  if (code === 'ENOTFOUND') return `there is no address for the name ${hostname}`
  if (code === 'EAI_AGAIN') return `the name server does not answer for ${hostname}`
  if (code === 'ECONNREFUSED') return `${host} refuses connections: nothing listens there`
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return `${host} does not answer`
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || name === 'TimeoutError')
    return `${host} takes a connection, but does not answer the request`
  if (name === 'HTTPParserError' || code.startsWith('HPE_')) return `${host} does not speak HTTP/1.1`
  if (protocol === 'https:') {
    if (code.startsWith('ERR_SSL') || code === 'EPROTO' || code === 'ECONNRESET')
      return `${host} does not speak TLS on this port`
    if (/CERT|SIGNATURE|TLS/.test(code)) return `its certificate is not valid: ${message}`
  }
  return `${host} cannot be reached: ${code || message}`
}
