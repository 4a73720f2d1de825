import { Client, type Dispatcher } from 'undici'
import { parseIp } from '../kit/cidr.ts'
import { hostNameOf } from '../kit/host-name.ts'
import type { Monitor } from '../model/load-balancing.ts'
import { type AddressPolicy, failureWords, guardedConnector, secureContextOf } from '../outgoing/index.ts'
import { outgoingLimits } from '../outgoing/limits.ts'
import { isExpectedCode } from './expected-codes.ts'
import { type CheckTarget, type Finding, failed, passed, timedOut } from './finding.ts'
import { healthLimits } from './limits.ts'

/**
 * One request as the monitor describes it. Each redirect is a further request, to an address that the policy allows.
 * @param signal ends the check
 */
export async function checkHttp(
  target: CheckTarget,
  policy: AddressPolicy,
  signal: AbortSignal,
): Promise<Finding> {
  const first = urlOf(target)
  let url = first
  for (let redirects = 0; redirects <= healthLimits.checkRedirectsMax; redirects++) {
    try {
      const answer = await ask(url, isSameServer(first, url), { target, policy, signal })
      const next = target.monitor.followRedirects ? nextUrl(answer, url) : undefined
      if (next === undefined) return judged(answer, target.monitor)
      url = next
    } catch (error) {
      return isTimeout(error) ? timedOut(target) : failed(failureWords(url, error))
    }
  }
  return failed(`it redirects more than ${healthLimits.checkRedirectsMax} times`)
}

/** Over TLS, the certificate shows that a host is the same at another port. */
function isSameServer(first: URL, next: URL): boolean {
  return next.origin === first.origin || (next.hostname === first.hostname && next.protocol === 'https:')
}

interface Answer {
  readonly status: number
  readonly location: string | undefined
  /** As far as it was read. */
  readonly body: string
}

function urlOf({ monitor, origin }: CheckTarget): URL {
  const { address } = origin
  const url = new URL(`${monitor.type}://${address.includes(':') ? `[${address}]` : address}${monitor.path}`)
  const port = monitor.port || origin.port
  if (port !== 0) url.port = String(port)
  return url
}

interface Asking {
  readonly target: CheckTarget
  readonly policy: AddressPolicy
  readonly signal: AbortSignal
}

/** @param isOrigin headers and certificates are meant for this server; after a redirect elsewhere they are not */
async function ask(url: URL, isOrigin: boolean, { target, policy, signal }: Asking): Promise<Answer> {
  const { monitor, tls } = target
  const headers = isOrigin ? headersFor(target) : []
  const host = hostNameOf(headers[headers.indexOf('host') + 1] ?? url.host)
  const isName = parseIp(host.replace(/^\[|\]$/g, '')) === undefined
  const timeout = monitor.timeoutSeconds * 1000
  const client = new Client(url.origin, {
    connect: guardedConnector(policy, {
      timeout,
      ...(isName && { servername: host }),
      ...(monitor.allowInsecure && { rejectUnauthorized: false }),
      ...(tls && isOrigin && { secureContext: secureContextOf(tls) }),
    }),
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxHeaderSize: outgoingLimits.originHeaderBytesMax,
  })
  try {
    const answer = await client.request({
      path: url.pathname + url.search,
      method: monitor.method as Dispatcher.HttpMethod,
      headers: ['user-agent', 'Sluice-Health-Check', ...headers],
      signal,
    })
    const { location } = answer.headers
    return {
      status: answer.statusCode,
      location: typeof location === 'string' ? location : undefined,
      body: await beginningOf(answer.body, monitor.expectedBody === ''),
    }
  } finally {
    void client.destroy()
  }
}

/** Names and values in turn. The Host header of the origin goes before the monitor's. */
function headersFor({ monitor, origin }: CheckTarget): string[] {
  const lines = Object.entries(monitor.header ?? {}).flatMap(([name, values]) =>
    values.map(value => [name.toLowerCase(), value] as const),
  )
  const { hostHeader } = origin
  const all =
    hostHeader === undefined
      ? lines
      : [['host', hostHeader] as const, ...lines.filter(([name]) => name !== 'host')]
  return all.flat()
}

async function beginningOf(body: Dispatcher.ResponseData['body'], unwanted: boolean): Promise<string> {
  body.on('error', () => {})
  const chunks: Buffer[] = []
  let bytes = 0
  if (!unwanted)
    for await (const chunk of body) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes >= healthLimits.checkedBodyBytesMax) break
    }
  body.destroy()
  return Buffer.concat(chunks).subarray(0, healthLimits.checkedBodyBytesMax).toString('utf8')
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function nextUrl({ status, location }: Answer, from: URL): URL | undefined {
  if (!redirects.has(status) || location === undefined || !URL.canParse(location, from)) return undefined
  const next = new URL(location, from)
  return next.protocol === 'http:' || next.protocol === 'https:' ? next : undefined
}

function judged({ status, body }: Answer, { expectedCodes, expectedBody }: Monitor): Finding {
  if (!isExpectedCode(expectedCodes, status))
    return failed(`it answers with status ${status}, and ${expectedCodes || '200'} is expected`, status)
  if (!body.toLowerCase().includes(expectedBody.toLowerCase()))
    return failed('the body of its answer does not have the expected text', status)
  return passed(status)
}

function isTimeout(error: unknown): boolean {
  const { name = '', code = '' } = error as { name?: string; code?: string }
  return name === 'TimeoutError' || code === 'ETIMEDOUT' || /^UND_ERR_\w+_TIMEOUT$/.test(code)
}
