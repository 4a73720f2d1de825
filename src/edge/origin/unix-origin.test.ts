import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { eventually, planFor, RawClient, rule, startEdge, startOrigin } from '../testing/fixture.ts'

const request = 'GET /path HTTP/1.1\r\nHost: site.test\r\n\r\n'

/** Starts an origin at a unix socket. */
async function startLocal(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'sockets-'))
  const path = join(folder, 'app.sock')
  let connections = 0
  const server = createServer((incoming, response) =>
    response.end(`${incoming.headers.host} ${incoming.url} of ${connections}`),
  )
  server.on('connection', () => connections++)
  await new Promise<void>(resolve => server.listen(path, resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
    rmSync(folder, { recursive: true })
  })
  return { folder, url: `http://unix:${path}` }
}

test('requests go to a unix socket that the operator has named, over connections that stay open', async t => {
  const local = await startLocal(t)
  const { port, records } = await startEdge(t, planFor(local.url), { originSockets: [local.folder] })
  const client = new RawClient(port)
  for (let count = 1; count <= 3; count++) {
    client.received = ''
    await client.send(request).until('site.test /path of 1')
  }
  await eventually(() => records.length === 3)
  assert.equal(records[0]!['OriginResponseStatus'], 200)
  assert.equal(records[0]!['OriginIP'], '')
})

test('no other unix socket is connected to', async t => {
  const local = await startLocal(t)
  const { port } = await startEdge(t, planFor(local.url), { originSockets: ['/run/elsewhere'] })
  await new RawClient(port).send(request).until('HTTP/1.1 502')
})

test('an origin rule leads from a unix socket to a host, and a port alone leads nowhere else', async t => {
  const local = await startLocal(t)
  const origin = await startOrigin(t, (_, response) => response.end('by TCP'))
  const { hostname, port: originPort } = new URL(origin.url)
  for (const [route, want] of [
    [{ host: hostname, port: Number(originPort) }, 'by TCP'],
    [{ port: Number(originPort) }, 'site.test /path of'],
  ] as const) {
    const phase = {
      phase: 'http_request_origin' as const,
      readsBody: false,
      rulesets: [
        {
          id: 'ruleset-1',
          version: '1',
          kind: 'zone' as const,
          rules: [rule({ kind: 'route', hostHeader: undefined, sni: undefined, host: undefined, ...route })],
        },
      ],
    }
    const plan = planFor(local.url, { request: [phase] })
    const { port } = await startEdge(t, plan, { originSockets: [local.folder] })
    await new RawClient(port).send(request).until(want)
  }
})
