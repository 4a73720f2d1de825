import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectNew, oldBytes } from '../../kit/testing/garbage.ts'
import { planFor, RawClient, rule, startEdge } from '../testing/fixture.ts'

test('an answered request leaves no garbage for a full collection', async t => {
  const plan = planFor('http://127.0.0.1:1', { custom: [rule({ kind: 'action', action: 'block' })] })
  const writer = {
    append: () => {},
    full: undefined,
    handedOver: () => new Promise<void>(resolve => setImmediate(resolve)),
    flush: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
  const auditLog = { mode: 'all', format: 'json', write: () => {} } as const
  const { port } = await startEdge(t, plan, { records: writer, auditLog })
  const client = new RawClient(port)
  const headers = Array.from({ length: 90 }, (_, i) => `X-Name-${i}: value ${i}`).join('\r\n')
  const requests = 150
  const run = async () => {
    for (let i = 0; i < requests; i++) {
      client.received = ''
      client.send(`GET / HTTP/1.1\r\nHost: site.test\r\n${headers}\r\n\r\n`)
      await client.until('</html>')
      if (i % 3 === 0) collectNew()
    }
    collectNew()
    collectNew()
  }
  await run()
  await run()
  const before = oldBytes()
  await run()
  const left = (oldBytes() - before) / requests
  assert.ok(left < 8000, `${left} bytes a request`)
})
