import { randomBytes, X509Certificate } from 'node:crypto'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createSecureContext, createServer, type SecureContext, type Server as TlsServer } from 'node:tls'
import {
  type CertificatePair,
  CertificateTable,
  type EdgeCertificate,
  type OcspStaples,
} from '../../edge/index.ts'
import type { Listen } from '../../model/settings/index.ts'
import { watchCertificateFiles } from '../edge/certificate-files.ts'
import { apiLimits } from '../limits.ts'

export interface TlsListenerDeps {
  /** Files and directories of the settings. */
  readonly paths: readonly string[]
  /** For the case that they have no certificate. */
  readonly selfSigned: CertificatePair
  /** OCSP responses for the files; closed with the listener. */
  readonly staples: OcspStaples
  /** Certificates that cannot be read; the listener keeps the ones that it has. */
  readonly onError: (error: unknown) => void
}

export interface TlsListener {
  readonly port: number
  readonly server: TlsServer
  /** Cuts off open connections: the HTTP server has ended its requests before. */
  close(): void
}

/**
 * Listens for TLS and passes the decrypted connections to an HTTP server. Names without a certificate, and clients that
 * name no server, get the first certificate of the files.
 * @throws Error that names an unusable file; the error of an address that cannot be used
 */
export async function listenForTls(
  http: HttpServer,
  address: Listen | { readonly fd: number },
  { paths, selfSigned, staples, onError }: TlsListenerDeps,
): Promise<TlsListener> {
  const table = new CertificateTable(randomBytes(48))
  const contexts = new WeakMap<EdgeCertificate, SecureContext>()
  const contextOf = (serverName: string): SecureContext => {
    const certificate = table.find(serverName)!
    let context = contexts.get(certificate)
    if (context === undefined) {
      context = createSecureContext({ ...certificate.options, minVersion: 'TLSv1.2' })
      contexts.set(certificate, context)
    }
    return context
  }
  const server = createServer({
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: apiLimits.handshakeMs,
    SNICallback: (name, done) => done(null, contextOf(name.toLowerCase())),
  })
  /** PEM by DER, the form in which node names the certificate of a handshake. */
  let pems: ReadonlyMap<string, string> = new Map()
  server.on('OCSPRequest', (der, _issuer, done) => {
    const pem = pems.get(der.toString('latin1'))
    if (pem === undefined) done(null, null)
    else void staples.of(pem).then(staple => done(null, staple ?? null))
  })
  const unwatch = await watchCertificateFiles(
    paths,
    files => {
      table.replace(files, files[0] ?? selfSigned)
      pems = new Map(
        files.map(({ certificate }) => [
          new X509Certificate(certificate).raw.toString('latin1'),
          certificate,
        ]),
      )
      staples.use([...pems.values()])
      server.setSecureContext({ ...table.find(undefined)!.options, minVersion: 'TLSv1.2' })
    },
    onError,
  )
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.on('secureConnection', socket => http.emit('connection', socket))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen('fd' in address ? { fd: address.fd } : { host: address.host, port: address.port }, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    server,
    close() {
      unwatch()
      staples.close()
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
