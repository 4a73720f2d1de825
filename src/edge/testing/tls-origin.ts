import {
  createSecureServer,
  type Http2SecureServer,
  type SecureServerOptions,
  type ServerHttp2Session,
} from 'node:http2'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'

/** An untrusted test key, and its self-signed certificate for origin.test. */
export const tlsOriginKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5x2fLqIfUxa638zp
F/lumILH86hGSJr8QrgcD/f3Y2uhRANCAATnfIeJsROxE335IsWnEs5j3Bh7d/w/
jwZ8XiJFfKLl0IhrfpdoJMq8aqojsTkPUqfF9Rxbz5WZMmK9auBnRs0B
-----END PRIVATE KEY-----`
export const tlsOriginCertificate = `-----BEGIN CERTIFICATE-----
MIIBpzCCAU2gAwIBAgIUTCwEYUlNf3ONRH2Mg1A2ERmVaoEwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLb3JpZ2luLnRlc3QwIBcNMjYxMTIxMTAzOTQyWhgPMjEyNjEw
MjgxMDM5NDJaMBYxFDASBgNVBAMMC29yaWdpbi50ZXN0MFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAE53yHibETsRN9+SLFpxLOY9wYe3f8P48GfF4iRXyi5dCIa36X
aCTKvGqqI7E5D1KnxfUcW8+VmTJivWrgZ0bNAaN3MHUwHQYDVR0OBBYEFGqRi6un
mSa5rF1vnlR69z8OOYr/MB8GA1UdIwQYMBaAFGqRi6unmSa5rF1vnlR69z8OOYr/
MA8GA1UdEwEB/wQFMAMBAf8wIgYDVR0RBBswGYILb3JpZ2luLnRlc3SCCm90aGVy
LnRlc3QwCgYIKoZIzj0EAwIDSAAwRQIhAPujK1LcswF3MPi7nOu0IXdltBj8Ke/A
kHBqI7ISPe/FAiBvNOg1CJPTIP+7YndG+Brv0ho7beN4rK3fxihs/Hmiww==
-----END CERTIFICATE-----`

export interface TlsOrigin {
  readonly url: string
  readonly server: Server
  /** TLS server names of the connections; false without one. */
  readonly names: (string | false)[]
}

/** Starts an https origin that ends with the test and returns the received Host header. */
export async function startTlsOrigin(t: TestContext): Promise<TlsOrigin> {
  const names: (string | false)[] = []
  const server = createServer({ key: tlsOriginKey, cert: tlsOriginCertificate }, (request, response) =>
    response.end(request.headers.host),
  )
  server.on('secureConnection', (socket: TLSSocket & { readonly servername: string | false }) => {
    names.push(socket.servername)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, server, names }
}

export interface Http2Origin {
  readonly url: string
  readonly server: Http2SecureServer
  /** Connections in HTTP/2, in the order of their beginning. */
  readonly sessions: ServerHttp2Session[]
}

/** Starts an https origin that offers HTTP/2 and HTTP/1.1 and ends with the test. */
export async function startHttp2Origin(
  t: TestContext,
  options: SecureServerOptions = {},
): Promise<Http2Origin> {
  const sessions: ServerHttp2Session[] = []
  const server = createSecureServer({
    key: tlsOriginKey,
    cert: tlsOriginCertificate,
    allowHTTP1: true,
    ...options,
  })
  server.on('session', session => {
    session.on('error', () => {})
    sessions.push(session)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    for (const session of sessions) session.destroy()
  })
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, server, sessions }
}

let isTrusted = false

/** Edges of this process trust the origins above until the test ends. */
export function trustTestCertificate(t: TestContext): void {
  if (isTrusted) return
  isTrusted = true
  const before = getCACertificates()
  setDefaultCACertificates([...before, tlsOriginCertificate])
  t.after(() => {
    isTrusted = false
    setDefaultCACertificates(before)
  })
}
