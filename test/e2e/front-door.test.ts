import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { freePort } from '../../src/kit/testing/free-port.ts'
import { edgeFronts, type Front, type Sent } from '../support/fronts.ts'
import { inForce } from '../support/in-force.ts'
import {
  api,
  discard,
  type Instance,
  newData,
  readJsonLines,
  startSluice,
  testCrs,
} from '../support/sluice.ts'

/**
 * The zone that serves a request, and the address of its client, by the settings of a running instance. Over
 * HTTP/1.1, and over TLS with HTTP/2.
 */
const skip = existsSync(testCrs) ? false : 'needs an OWASP CRS release, and none was found'

let sluice: Instance
let origin: Server
let fronts: readonly Front[]

before(async () => {
  if (skip) return
  origin = createServer((incoming, response) => response.end(JSON.stringify(incoming.headers)))
  await new Promise<void>(resolve => origin.listen(0, '127.0.0.1', resolve))
  const data = await newData({ SLUICE_CRS: testCrs })
  const tls = { SLUICE_EDGE_TLS_LISTEN: `127.0.0.1:${await freePort()}` }
  sluice = await startSluice({
    data,
    settings: {
      ...tls,
      SLUICE_CRS: testCrs,
      SLUICE_DEFAULT_ZONE: 'shop.test',
      SLUICE_TRUSTED_PROXIES: '127.0.0.2,192.0.2.0/24',
      SLUICE_AUDIT_LOG: join(data, 'audit.ndjson'),
      SLUICE_AUDIT_LOG_MODE: 'all',
    },
  })
  const [account] = (await api(sluice, 'GET', '/accounts')).result
  const { result: zone } = await api(sluice, 'POST', '/zones', {
    name: 'shop.test',
    account: { id: account.id },
    origin: { url: `http://127.0.0.1:${(origin.address() as AddressInfo).port}` },
  })
  const rules = [{ action: 'block', expression: 'ip.src eq 203.0.113.7' }]
  const path = `/zones/${zone.id}/rulesets/phases/http_request_firewall_custom/entrypoint`
  assert.equal((await api(sluice, 'PUT', path, { rules })).status, 200)
  fronts = edgeFronts(sluice, tls, 'shop.test')
  await inForce(sluice)
})

after(async () => {
  if (skip) return
  origin.closeAllConnections()
  origin.close()
  await discard(sluice)
})

/** @returns the answer's status, what reached the origin, and the line of the audit log */
async function send(front: Front, host: string, { from = '127.0.0.1', headers = {} }: Sent = {}) {
  const { status, headers: answered, text } = await front.send('/', { host, from, headers })
  const reached = text.startsWith('{') ? JSON.parse(text) : {}
  return { status, reached, line: await auditLine(answered['ray-id']) }
}

/** The line is written when the answer has gone out: a moment after the client has it. */
async function auditLine(rayId: unknown): Promise<AuditLine> {
  for (let tries = 0; tries < 200; tries++) {
    const lines = (await readJsonLines(join(sluice.data, 'audit.ndjson'))) as AuditLine[]
    const line = lines.find(candidate => candidate.ray_id === rayId)
    if (line !== undefined) return line
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error(`request ${rayId} is not in the audit log`)
}

interface AuditLine {
  readonly ray_id: string
  readonly zone: string
  readonly client_ip: string
}

test('hosts that no zone claims are served by the default zone', { skip }, async () => {
  const rows: readonly [host: string, zone: string][] = [
    ['shop.test', 'shop.test'],
    ['www.shop.test', 'shop.test'],
    ['elsewhere.example', 'shop.test'],
    ['192.0.2.44:8080', 'shop.test'],
    ['localhost', 'localhost'],
    ['127.0.0.1', 'localhost'],
    ['[::1]:8080', 'localhost'],
  ]
  for (const front of fronts) {
    for (const [host, zone] of rows)
      assert.equal((await send(front, host)).line.zone, zone, `${host} over ${front.name}`)
    assert.equal((await send(front, 'elsewhere.example')).reached.host, 'elsewhere.example')
  }
})

test('forwarding headers count when a trusted proxy sends them, and up to the first stranger', {
  skip,
}, async () => {
  const visitor = '203.0.113.9'
  const rows: readonly [from: string, forwarded: string | undefined, client: string, reached: string][] = [
    ['127.0.0.1', undefined, '127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', visitor, '127.0.0.1', '127.0.0.1'],
    ['127.0.0.2', undefined, '127.0.0.2', '127.0.0.2'],
    ['127.0.0.2', visitor, visitor, `${visitor}, 127.0.0.2`],
    ['127.0.0.2', `203.0.113.1, ${visitor}`, visitor, `${visitor}, 127.0.0.2`],
    ['127.0.0.2', `${visitor}, 192.0.2.1`, visitor, `${visitor}, 192.0.2.1, 127.0.0.2`],
    ['127.0.0.2', `::ffff:${visitor}`, visitor, `${visitor}, 127.0.0.2`],
    ['127.0.0.2', 'unknown', '127.0.0.2', '127.0.0.2'],
    ['127.0.0.3', visitor, '127.0.0.3', '127.0.0.3'],
  ]
  for (const front of fronts)
    for (const [from, forwarded, client, reached] of rows) {
      const other = front.scheme === 'http' ? 'https' : 'http'
      const headers: { [name: string]: string } = { 'x-forwarded-proto': other }
      if (forwarded !== undefined) headers['x-forwarded-for'] = forwarded
      const sent = await send(front, 'shop.test', { from, headers })
      const name = `${from} sends ${forwarded} over ${front.name}`
      assert.equal(sent.line.client_ip, client, name)
      assert.equal(sent.reached['x-forwarded-for'], reached, name)
      assert.equal(sent.reached['x-forwarded-proto'], from === '127.0.0.2' ? other : front.scheme, name)
    }
})

test('rules see the client that a trusted proxy names', { skip }, async () => {
  const headers = { 'x-forwarded-for': '203.0.113.7' }
  for (const front of fronts) {
    assert.equal((await send(front, 'shop.test', { from: '127.0.0.2', headers })).status, 403, front.name)
    assert.equal((await send(front, 'shop.test', { headers })).status, 200, front.name)
  }
})
