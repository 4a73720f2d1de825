import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { madeCertificate } from '../../kit/testing/certificates.ts'
import type { OriginTls } from '../../model/origin-tls.ts'
import { planFor, RawClient, startEdge } from '../testing/fixture.ts'
import { tlsOriginCertificate, tlsOriginKey } from '../testing/tls-origin.ts'

const client = await madeCertificate([])
const other = await madeCertificate([])

/** Starts an https origin that answers with the client certificate. */
async function startOrigin(t: TestContext): Promise<string> {
  const trust = {
    key: tlsOriginKey,
    cert: tlsOriginCertificate,
    requestCert: true,
    rejectUnauthorized: false,
  }
  const server = createServer(trust, (request, response) => {
    const socket = request.socket as TLSSocket
    response.end(socket.getPeerX509Certificate()?.toString() ?? 'anonymous')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function ask(t: TestContext, url: string, originTls: OriginTls | undefined, ssl: 'strict' | 'full') {
  const { port } = await startEdge(t, planFor(url, { originTls, settings: { ssl } }))
  return new RawClient(port).send('GET / HTTP/1.1\r\nHost: origin.test\r\nConnection: close\r\n\r\n').end()
}

test('an origin is checked against the authorities of its zone', async t => {
  const url = await startOrigin(t)
  const trusting = (certificate: string) => ({
    id: certificate,
    authorities: [certificate],
    client: undefined,
  })
  assert.match(await ask(t, url, trusting(tlsOriginCertificate), 'strict'), /^HTTP\/1.1 200/)
  assert.match(await ask(t, url, trusting(other.certificate), 'strict'), /^HTTP\/1.1 502/)
  assert.match(await ask(t, url, undefined, 'strict'), /^HTTP\/1.1 502/)
  assert.match(await ask(t, url, trusting(other.certificate), 'full'), /^HTTP\/1.1 200/)
})

test('connections that show one client certificate serve no other zone', async t => {
  const url = await startOrigin(t)
  const showing = (one: typeof client) => ({ id: one.certificate, authorities: [], client: one })
  const plans = new Map(
    [showing(client), showing(other), undefined].map((originTls, at) => [
      `${at}.test`,
      planFor(url, { originTls, settings: { ssl: 'full' } }),
    ]),
  )
  const { port } = await startEdge(t, planFor(url), { plans: { find: host => plans.get(host) } })
  const raw = new RawClient(port)
  const rows = [
    ['0.test', client.certificate.trim()],
    ['1.test', other.certificate.trim()],
    ['2.test', 'anonymous'],
    ['0.test', client.certificate.trim()],
  ] as const
  for (const [host, want] of rows) {
    raw.received = ''
    raw.send(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    await raw.until(want)
  }
})
