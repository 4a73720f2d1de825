import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UrlNormalization } from '../../model/zone-settings.ts'
import { planFor, RawClient, rule, startEdge, startOrigin } from '../testing/fixture.ts'

const targets = [
  '/admin',
  '/%61dmin',
  '//admin',
  '/./admin',
  '/x/../admin',
  '/%2e/ADMIN/../%61dmin',
  '\\admin',
]

for (const [type, scope, stopped] of [
  ['cloudflare', 'incoming', 6],
  ['cloudflare', 'both', 6],
  ['rfc3986', 'incoming', 5],
  ['cloudflare', 'none', 1],
] as const) {
  test(`URL normalization ${type}, ${scope}: a rule for one path stops its other spellings`, async t => {
    const asked: string[] = []
    const origin = await startOrigin(t, (request, response) => {
      asked.push(request.url!)
      response.end('ok')
    })
    const urlNormalization: UrlNormalization = { type, scope }
    const blocks = rule({ kind: 'action', action: 'block' }, view => view.path === '/admin')
    const logs = rule({ kind: 'action', action: 'log' }, view => view.rawPath === '/%61dmin', 'raw')
    const plan = planFor(origin.url, { custom: [logs, blocks], settings: { urlNormalization } })
    const { port, records } = await startEdge(t, plan)
    let blocked = 0
    for (const target of targets.slice(0, 6)) {
      const client = new RawClient(port)
      const answer = await client
        .send(`GET ${target} HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n`)
        .end()
      if (answer.startsWith('HTTP/1.1 403')) blocked++
    }
    assert.equal(blocked, stopped)
    const raw = records.find(({ ClientRequestURI }) => ClientRequestURI === '/%61dmin')
    assert.ok((raw!['SecurityRuleIDs'] as string[]).includes('raw'), 'raw fields are as sent')
    const client = new RawClient(port)
    await client.send('GET /a/..//%62?%63 HTTP/1.1\r\nHost: site.test\r\n\r\n').until('ok')
    assert.equal(asked.at(-1), scope === 'both' ? '/b?%63' : '/a/..//%62?%63')
  })
}
