import { type ClientHttp2Session, type ClientSessionOptions, connect as connectHttp2 } from 'node:http2'
import type { TestContext } from 'node:test'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { defaultZoneSettings, type ZoneSettings } from '../../model/zone-settings.ts'
import type { ZonePlan } from '../../rulesets/plan/plan.ts'
import { CertificateTable, namedCertificate } from '../tls/certificate-table.ts'
import { selfSignedCertificate } from '../tls/self-signed.ts'
import { planFor, startEdge } from './fixture.ts'

/** Made once. Not awaited here: test files that share a process would lose their suites. */
const pairs = Promise.all([
  selfSignedCertificate(['zone.test', '*.zone.test'], new Date()),
  selfSignedCertificate(['localhost'], new Date()),
])

/**
 * Starts an edge that also listens for TLS, with a certificate for `zone.test`.
 * @param site a plan, or the origin of a plan without rules
 */
export async function startTls(
  t: TestContext,
  site: string | ZonePlan,
  settings: Partial<ZoneSettings> = {},
  deps: Parameters<typeof startEdge>[2] = {},
) {
  const [pair, other] = await pairs
  const certificates = new CertificateTable(Buffer.alloc(48, 1))
  certificates.replace([namedCertificate(pair)], other)
  const base = typeof site === 'string' ? planFor(site) : site
  const plan = { ...base, settings: { ...defaultZoneSettings, ...settings } }
  const started = await startEdge(t, plan, { tls: { certificates, ja4: true }, ...deps })
  const port = await started.edge.listen({ host: '127.0.0.1', port: 0 }, { tls: true, proxyProtocol: false })
  return { ...started, tlsPort: port, certificates }
}

/** A client's connection that ends with the test. */
export function openHttp2(
  t: TestContext,
  port: number,
  servername = 'zone.test',
  options: ConnectionOptions & ClientSessionOptions = {},
): ClientHttp2Session {
  const tls = { port, host: '127.0.0.1', servername, rejectUnauthorized: false, ALPNProtocols: ['h2'] }
  const session = connectHttp2(`https://${servername || 'zone.test'}`, {
    ...options,
    createConnection: () => connectTls({ ...tls, ...options }),
  })
  session.on('error', () => {})
  t.after(() => session.destroy())
  return session
}

/** Sends one request and reads its whole response. */
export async function ask(
  session: ClientHttp2Session,
  headers: Record<string, string | string[]>,
  body?: string,
): Promise<{ status: number; headers: Record<string, unknown>; text: string; trailers: object }> {
  const stream = session.request(headers, { endStream: body === undefined })
  if (body !== undefined) stream.end(body)
  const answer = { status: 0, headers: {}, text: '', trailers: {} }
  stream.on('response', received => {
    answer.status = received[':status']!
    answer.headers = received
  })
  stream.on('trailers', trailers => {
    answer.trailers = trailers
  })
  stream.setEncoding('latin1')
  for await (const chunk of stream) answer.text += chunk
  return answer
}
