import { type IncomingHttpHeaders, request } from 'node:http'
import { connect as connectHttp2, type OutgoingHttpHeaders as Http2Headers } from 'node:http2'
import { isIP } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { type Ends, startEnvoy, startHaproxy, without } from '../../src/agents/testing/proxies.ts'
import { freePort } from '../../src/kit/testing/free-port.ts'
import type { Instance } from './sluice.ts'

/** A way for requests to reach the rules of one installation. Tests of rules and records run through all of them. */
export interface Front {
  readonly name: 'HTTP/1.1' | 'HTTP/2' | 'HAProxy' | 'Envoy'
  readonly scheme: 'http' | 'https'
  /** `ClientRequestProtocol` of its records. */
  readonly protocol: 'HTTP/1.1' | 'HTTP/2'
  readonly port: number
  readonly can: Abilities
  send(path: string, sent?: Sent): Promise<Answer>
  /** Sends a request and hangs up before its response. */
  leave(path: string): Promise<void>
}

/** Differences between the fronts. All other rules act alike. */
export interface Abilities {
  /** `http_request_origin` chooses the server; the proxy decides elsewhere, and its server gets the Host header of the rule. */
  readonly chooseServer: boolean
  /** A rule removes `Server` from the response. Envoy writes its own name there, after its filters. */
  readonly removeServerHeader: boolean
  /** Compression rules code the response. Other proxies send it themselves. */
  readonly compress: boolean
}

export interface Sent {
  readonly method?: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
  /** An address of this machine, in place of `client`. */
  readonly from?: string
  /** In place of the host of all requests. */
  readonly host?: string
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** The settings of an instance behind all fronts. It has to have the roles `edge` and `inspect`. */
export async function frontSettings() {
  const [tls, spoe, grpc] = await Promise.all([freePort(), freePort(), freePort()])
  return {
    SLUICE_ROLES: 'control,delivery,edge,inspect',
    SLUICE_EDGE_TLS_LISTEN: `127.0.0.1:${tls}`,
    SLUICE_INSPECT_SPOE_LISTEN: `127.0.0.1:${spoe}`,
    SLUICE_INSPECT_GRPC_LISTEN: `127.0.0.1:${grpc}`,
    SLUICE_INSPECT_HTTP_LISTEN: 'none',
    // The proxies.
    SLUICE_TRUSTED_PROXIES: '127.0.0.1/32',
  }
}

/** All fronts of one installation. */
export interface Fronts {
  readonly all: readonly Front[]
  /** Checks each front; a failure names it. */
  each(check: (front: Front) => Promise<void>): Promise<void>
  close(): Promise<void>
}

/**
 * Starts a proxy for each front that needs one. A proxy that is not installed is left out.
 * @param host of all requests
 */
export async function startFronts(
  sluice: Instance,
  settings: Awaited<ReturnType<typeof frontSettings>>,
  { host, origin }: { readonly host: string; readonly origin: string },
): Promise<Fronts> {
  const ends: (() => unknown)[] = []
  const test: Ends = { after: end => void ends.unshift(end as () => unknown) }
  const originPort = portIn(origin)
  const proxy = { chooseServer: false, removeServerHeader: true, compress: false }
  const all: Front[] = edgeFronts(sluice, settings, host)
  if (without('haproxy') === false) {
    const agentPort = portIn(settings.SLUICE_INSPECT_SPOE_LISTEN)
    const { url } = await startHaproxy(test, { agentPort, originPort })
    all.push({ name: 'HAProxy', ...overHttp1(portIn(url), host), can: proxy })
  }
  if (without('envoy') === false) {
    const agentPort = portIn(settings.SLUICE_INSPECT_GRPC_LISTEN)
    const { url } = await startEnvoy(test, 'ext-proc.yaml', { agentPort, originPort })
    all.push({ name: 'Envoy', ...overHttp1(portIn(url), host), can: { ...proxy, removeServerHeader: false } })
  }
  return {
    all,
    each: async check => {
      for (const front of all)
        await check(front).catch(error => {
          throw new Error(front.name, { cause: error })
        })
    },
    close: async () => {
      for (const end of ends) await end()
    },
  }
}

/** The fronts without another proxy. */
export function edgeFronts(
  sluice: Instance,
  { SLUICE_EDGE_TLS_LISTEN: tls }: { readonly SLUICE_EDGE_TLS_LISTEN: string },
  host: string,
): Front[] {
  return [
    { name: 'HTTP/1.1', ...overHttp1(sluice.edgePort, host), can: everything },
    { name: 'HTTP/2', ...overHttp2(portIn(tls), host), can: everything },
  ]
}

const everything: Abilities = { chooseServer: true, removeServerHeader: true, compress: true }

function portIn(address: string): number {
  return Number(address.split(':').at(-1))
}

/** The address of clients. Proxies connect from another one, which Sluice trusts. */
export const client = '127.0.0.5'

const leaveAfterMs = 40

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux)', accept: '*/*' }

function overHttp1(port: number, usualHost: string): Omit<Front, 'name' | 'can'> {
  const send: Front['send'] = (path, sent = {}) =>
    new Promise((resolve, reject) => {
      const { method = 'GET', headers = {}, body, from = client, host = usualHost } = sent
      const address = { host: '127.0.0.1', port, localAddress: from, agent: false }
      const sending = request(
        { ...address, path, method, headers: { host, ...browser, ...headers } },
        async incoming => {
          const { statusCode, headers } = incoming
          resolve({ status: statusCode!, headers, text: await text(incoming) })
        },
      )
      sending.on('error', reject)
      sending.end(body)
    })
  const leave: Front['leave'] = path =>
    new Promise(resolve => {
      const sending = request({ host: '127.0.0.1', port, path, headers: { host: usualHost }, agent: false })
      sending.on('error', () => {}).on('close', resolve)
      sending.on('finish', () => setTimeout(() => sending.destroy(), leaveAfterMs))
      sending.end()
    })
  return { port, scheme: 'http', protocol: 'HTTP/1.1', send, leave }
}

function overHttp2(port: number, usualHost: string): Omit<Front, 'name' | 'can'> {
  const open = (host: string, localAddress?: string) => {
    const { hostname } = new URL(`https://${host}`)
    // TLS has no name for an address.
    const servername = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : ''
    const address = { host: '127.0.0.1', port, localAddress, servername }
    return connectHttp2(`https://${host}`, {
      createConnection: () => connectTls({ ...address, ALPNProtocols: ['h2'], rejectUnauthorized: false }),
    })
  }
  const send: Front['send'] = (path, sent = {}) =>
    new Promise((resolve, reject) => {
      const { method = 'GET', headers = {}, body, from = client, host = usualHost } = sent
      const session = open(host, from).on('error', reject)
      const pseudo = { ':method': method, ':path': path, ':authority': host }
      const stream = session.request({ ...pseudo, ...browser, ...headers } as Http2Headers, {
        endStream: body === undefined,
      })
      stream.on('error', reject)
      stream.on('response', async received => {
        const { ':status': status, ...headers } = received
        resolve({ status: status!, headers: headers as IncomingHttpHeaders, text: await text(stream) })
        session.close()
      })
      if (body !== undefined) stream.end(body)
    })
  const leave: Front['leave'] = path =>
    new Promise(resolve => {
      const session = open(usualHost).on('error', () => {})
      session.once('close', resolve)
      const stream = session.request({ ':path': path, ':authority': usualHost }).on('error', () => {})
      stream.once('ready', () => setTimeout(() => session.socket.destroy(), leaveAfterMs))
    })
  return { port, scheme: 'https', protocol: 'HTTP/2', send, leave }
}
