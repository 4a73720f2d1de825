import type { Socket } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import type { TlsView } from '../../rulesets/fields/request-view.ts'
import { type AcmeChallenges, acmeProtocol } from './acme-challenges.ts'
import { type Certificates, covers, type EdgeCertificate } from './certificates.ts'
import { type ClientHello, readClientHello } from './client-hello.ts'
import { type HandshakeFailure, handshakeFailure } from './handshake-failures.ts'
import { ja4 } from './ja4.ts'
import { type Opening, type OpeningLimits, readOpening } from './opening.ts'
import type { TlsPolicy } from './policy.ts'

export interface TlsDeps {
  readonly certificates: Certificates
  /** Challenges of certificate authorities; undefined when no certificates come by ACME. */
  readonly challenges?: Pick<AcmeChallenges, 'certificate'> | undefined
  /** A client asked for a name without a certificate. @param serverName lower case */
  readonly onUncovered?: ((serverName: string) => void) | undefined
  /** Counts a handshake that failed. */
  readonly onFailure: (failure: HandshakeFailure) => void
  /** @param serverName lower case; undefined for clients without SNI */
  policy(serverName: string | undefined): TlsPolicy
  /** Computes the fingerprint JA4 of every client. */
  readonly ja4: boolean
  readonly limits: OpeningLimits
}

export interface HandshakeFacts extends TlsView {
  /** In lower case. */
  readonly serverName: string | undefined
  /** @param host lower case, without port */
  covers(host: string): boolean
}

/** A connection after its handshake. */
export interface SecureConnection {
  readonly socket: TLSSocket
  readonly facts: HandshakeFacts
}

interface Opened {
  readonly hello: ClientHello
  readonly bytes: number
}

/**
 * Performs TLS handshakes. The ClientHello is read before, so that the zone of its name decides about versions,
 * protocols and the certificate.
 */
export class TlsHandshakes {
  readonly #deps: TlsDeps
  readonly #servers: TlsServers

  constructor(deps: TlsDeps) {
    this.#deps = deps
    this.#servers = new TlsServers(deps.limits.openingTimeoutMs, deps.onFailure)
  }

  /** @returns undefined when the handshake failed; the connection is closed then */
  async accept(raw: Socket): Promise<SecureConnection | undefined> {
    const { certificates, limits, ja4: fingerprints, onFailure } = this.#deps
    const opened = await readOpening<Opened>(raw, limits, readHello, failure =>
      onFailure(failure === 'malformed' ? 'not_tls' : failure),
    )
    if (opened === undefined) return undefined
    const { hello } = opened
    const proof = this.#deps.challenges?.certificate(hello.serverName, hello.protocols)
    if (proof !== undefined) {
      // RFC 8737 3: nothing follows the handshake.
      ;(await this.#servers.handshake(raw, proof, everyVersion, [acmeProtocol]))?.end()
      return undefined
    }
    const certificate = certificates.find(hello.serverName)
    if (certificate === undefined) {
      onFailure('unrecognized_name')
      raw.end(unrecognizedName)
      return undefined
    }
    if (certificate.standsForAll && hello.serverName !== undefined) this.#deps.onUncovered?.(hello.serverName)
    const policy = this.#deps.policy(hello.serverName)
    const protocols = policy.http2 ? ['h2', 'http/1.1'] : ['http/1.1']
    const socket = await this.#servers.handshake(raw, certificate, policy, protocols)
    if (socket === undefined) return undefined
    return {
      socket,
      facts: {
        protocol: socket.getProtocol() ?? '',
        cipher: socket.getCipher().name,
        serverName: hello.serverName,
        covers: host => covers(certificate, host),
        clientRandom: hello.random.toString('base64'),
        helloBytes: opened.bytes,
        ja4: fingerprints ? ja4(hello) : undefined,
      },
    }
  }
}

function readHello(bytes: Buffer): Opening<Opened> {
  const read = readClientHello(bytes)
  if (read.kind !== 'hello') return { kind: read.kind }
  // TLS reads the same bytes again.
  return { kind: 'read', result: { hello: read.hello, bytes: bytes.length }, rest: bytes }
}

const everyVersion = { min: 'TLSv1.2', max: 'TLSv1.3', ciphers: undefined } as const

/** A fatal alert unrecognized_name (RFC 6066 3). */
const unrecognizedName = Buffer.from([21, 3, 3, 0, 2, 2, 112])

/**
 * The TLS servers of each certificate, by policy. They do not listen: connections are passed to them after the
 * ClientHello.
 */
class TlsServers {
  readonly #servers = new WeakMap<EdgeCertificate, Map<string, Server>>()
  readonly #timeoutMs: number
  readonly #onFailure: TlsDeps['onFailure']
  /** Handshakes in progress, by both addresses of the connection. */
  readonly #waiting = new Map<string, (socket: TLSSocket) => void>()

  constructor(timeoutMs: number, onFailure: TlsDeps['onFailure']) {
    this.#timeoutMs = timeoutMs
    this.#onFailure = onFailure
  }

  handshake(
    raw: Socket,
    certificate: EdgeCertificate,
    policy: Omit<TlsPolicy, 'http2'>,
    protocols: string[],
  ): Promise<TLSSocket | undefined> {
    // A closed connection has no addresses, and its `close` is over.
    if (raw.destroyed || raw.remoteAddress === undefined) {
      this.#onFailure('closed')
      return Promise.resolve(undefined)
    }
    return new Promise(resolve => {
      const addresses = addressesOf(raw)
      const settle = (socket: TLSSocket | undefined) => {
        this.#waiting.delete(addresses)
        raw.off('close', onClose)
        if (socket !== undefined) socket.allowHalfOpen = true
        resolve(socket)
      }
      const onClose = () => settle(undefined)
      this.#waiting.set(addresses, settle)
      raw.once('close', onClose)
      // A client that ends in the middle of its handshake would occupy the server until the timeout.
      raw.allowHalfOpen = false
      this.#serverFor(certificate, policy, protocols).emit('connection', raw)
    })
  }

  #serverFor(
    certificate: EdgeCertificate,
    { min, max, ciphers }: Omit<TlsPolicy, 'http2'>,
    protocols: string[],
  ): Server {
    let servers = this.#servers.get(certificate)
    if (servers === undefined) {
      servers = new Map()
      this.#servers.set(certificate, servers)
    }
    const policy = `${min} ${max} ${ciphers} ${protocols}`
    let server = servers.get(policy)
    if (server === undefined) {
      server = createServer({
        ...certificate.options,
        ...(ciphers !== undefined && { ciphers }),
        minVersion: min,
        maxVersion: max,
        ALPNProtocols: protocols,
        handshakeTimeout: this.#timeoutMs,
      })
      const { staple } = certificate
      if (staple !== undefined)
        server.on('OCSPRequest', (_certificate, _issuer, done) => {
          void staple().then(der => done(null, der ?? null))
        })
      server.on('secureConnection', socket => this.#waiting.get(addressesOf(socket))?.(socket))
      server.on('tlsClientError', (error, socket) => {
        socket.destroy()
        this.#onFailure(handshakeFailure(error))
      })
      servers.set(policy, server)
    }
    return server
  }
}

function addressesOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`
}
