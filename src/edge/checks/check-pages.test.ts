import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnforcedAccessRule } from '../../model/access-rule.ts'
import { accessRuleKey } from '../../rulesets/firewall/access-key.ts'
import { AccessTable } from '../../rulesets/firewall/access-table.ts'
import { nowhere } from '../../rulesets/testing/request-view.ts'
import { aLockdown, aUserAgentRule } from '../../store/testing/data.ts'
import { planFor, RawClient, rule, startEdge, trusted, zoneId } from '../testing/fixture.ts'

function blocks(target: EnforcedAccessRule['target'], value: string): EnforcedAccessRule {
  const key = accessRuleKey(target, value)!
  return { id: value, ownerId: zoneId, target, key, mode: 'block', notes: '', revision: 1 }
}

test('the page of each check has its number, and only a custom error that asks for it replaces the page', async t => {
  const accessRules = new AccessTable()
  accessRules.put([
    blocks('ip', '192.0.2.1'),
    blocks('ip_range', '192.0.3.0/24'),
    blocks('asn', 'AS64496'),
    blocks('country', 'DE'),
  ])
  const serves = { kind: 'serve-error', status: 418, contentType: 'text/plain' } as const
  const edge = await startEdge(
    t,
    planFor(undefined, {
      accessRules,
      firewall: {
        lockdowns: [aLockdown(zoneId, { urls: ['site.test/admin'], configurations: [] })],
        userAgentRules: [aUserAgentRule(zoneId, { userAgent: 'BadBot' })],
      },
      settings: { browserCheck: true, hotlinkProtection: true },
      customErrors: [
        rule({ ...serves, content: ['chosen'], namesError: true }, view => view.query === 'chosen'),
        rule({ ...serves, content: ['any'], namesError: false }),
      ],
      responseHeaders: [
        rule({
          kind: 'rewrite-headers',
          changes: [
            {
              operation: 'set',
              name: 'X-Error',
              value: ({ response }) => `${response?.errorType} ${response?.errorCode} ${response?.status}`,
            },
          ],
        }),
      ],
    }),
    {
      trustedProxies: trusted('127.0.0.1/32'),
      geo: ip => ({
        ...nowhere,
        country: ip === '203.0.113.1' ? 'DE' : '',
        asnum: ip === '203.0.113.2' ? 64496 : 0,
      }),
    },
  )
  const errorOf = async (path: string, parts: Readonly<Record<string, string>>) => {
    const headers = {
      Host: 'site.test',
      'X-Forwarded-For': '198.51.100.1',
      'User-Agent': 'Mozilla/5.0',
      Connection: 'close',
      ...parts,
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const text = await new RawClient(edge.port).send(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`).end()
    return /^x-error: (.*)\r$/im.exec(text)?.[1]
  }
  const rows: [want: string, headers: Readonly<Record<string, string>>, path?: string][] = [
    ['ip_ban 1006', { 'X-Forwarded-For': '192.0.2.1' }],
    ['ip_ban 1006', { 'X-Forwarded-For': '192.0.3.1' }],
    ['ip_ban 1005', { 'X-Forwarded-For': '203.0.113.2' }],
    ['ip_ban 1009', { 'X-Forwarded-For': '203.0.113.1' }],
    ['1xxx 1106', {}, '/admin'],
    ['1xxx 1010', { 'User-Agent': 'BadBot' }],
    ['1xxx 1010', { 'User-Agent': 'sqlmap/1.8#stable (https://sqlmap.org)' }],
    ['1xxx 1011', { Referer: 'https://other.test/' }, '/a.png'],
  ]
  for (const [want, headers, path = '/'] of rows) {
    assert.equal(await errorOf(path, headers), `${want} 403`)
    assert.equal(await errorOf(`${path}?chosen`, headers), `${want} 418`)
  }
  assert.equal(await errorOf('/', {}), '1xxx 1016 418')
})
