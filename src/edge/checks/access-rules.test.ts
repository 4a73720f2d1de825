import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { AccessMode, AccessTarget, EnforcedAccessRule } from '../../model/access-rule.ts'
import { accessRuleKey } from '../../rulesets/firewall/access-key.ts'
import { AccessTable } from '../../rulesets/firewall/access-table.ts'
import { nowhere } from '../../rulesets/testing/request-view.ts'
import { clearanceCookie, issueClearance } from '../challenge/clearance.ts'
import { planFor, rule, startEdge, startOrigin, trusted, zoneId } from '../testing/fixture.ts'

const accountId = 'acc0123456789abcdef0123456789abc'

type Row = readonly [target: AccessTarget, value: string, mode: AccessMode, owner?: 'account']

function tableOf(rows: readonly Row[]): AccessTable {
  const table = new AccessTable()
  table.put(
    rows.map(([target, value, mode, owner], at): EnforcedAccessRule => {
      const id = `${mode} ${value}`
      const ownerId = owner === undefined ? zoneId : accountId
      return {
        id,
        ownerId,
        target,
        key: accessRuleKey(target, value)!,
        mode,
        notes: `note ${at}`,
        revision: at,
      }
    }),
  )
  return table
}

async function edgeWith(t: TestContext, rows: readonly Row[]) {
  const origin = await startOrigin(t, (_request, response) => response.end('origin'))
  const custom = [rule({ kind: 'action', action: 'block' }, view => view.path === '/custom', 'custom')]
  const managed = [rule({ kind: 'action', action: 'block' }, view => view.path === '/managed', 'managed')]
  const plan = planFor(origin.url, { custom, managed, accessRules: tableOf(rows) })
  const edge = await startEdge(
    t,
    { ...plan, zone: { ...plan.zone, accountId } },
    {
      trustedProxies: trusted('127.0.0.1/32'),
      geo: ip => ({
        ...nowhere,
        country: ip.startsWith('203.0.113.') ? 'DE' : '',
        asnum: ip.startsWith('203.0.113.') ? 64496 : 0,
      }),
    },
  )
  const ask = async (ip: string, path = '/') => {
    const response = await fetch(`${edge.url}${path}`, {
      headers: { Host: 'site.test', 'X-Forwarded-For': ip },
    })
    return { status: response.status, text: await response.text() }
  }
  return { edge, ask }
}

test('a rule acts on its address, range, network or country, with its own page, record and event', async t => {
  const { edge, ask } = await edgeWith(t, [
    ['ip', '192.0.2.1', 'block'],
    ['ip_range', '198.51.0.0/16', 'block', 'account'],
    ['ip_range', '2001:db8:1::/48', 'block'],
    ['ip6', '2001:db8::1', 'challenge'],
    ['asn', 'AS64496', 'js_challenge'],
    ['country', 'XX', 'managed_challenge', 'account'],
  ])
  const rows: [ip: string, action: string, source: string, value: string, mode: AccessMode][] = [
    ['192.0.2.1', 'block', 'ip', '192.0.2.1', 'block'],
    ['198.51.7.7', 'block', 'ipRange', '198.51.0.0/16', 'block'],
    ['2001:db8:1:ffff::', 'block', 'ipRange', '2001:db8:1::/48', 'block'],
    ['2001:db8::1', 'challenge', 'ip', '2001:db8::1', 'challenge'],
    ['203.0.113.9', 'jschallenge', 'asn', 'AS64496', 'js_challenge'],
    ['192.0.2.2', 'managedChallenge', 'country', 'XX', 'managed_challenge'],
  ]
  for (const [ip, action, source, value, mode] of rows) {
    const { status, text } = await ask(ip)
    assert.equal(status, 403, ip)
    if (mode === 'block') assert.match(text, /Access denied/)
    const id = `${mode} ${value}`
    const record = edge.records.at(-1)!
    assert.deepEqual(
      [record['SecurityAction'], record['SecurityRuleID'], record['SecuritySources']],
      [action, id, [source]],
    )
    const event = edge.events.at(-1)!
    assert.deepEqual(
      [event['Action'], event['Source'], event['RuleID'], event['EdgeResponseStatus']],
      [action.toLowerCase(), source.toLowerCase(), id, 403],
    )
    assert.match(String(event['Description']), /^note \d$/)
  }
})

test('an allowing rule goes first, then the narrowest target, then the zone before its account', async t => {
  const { ask, edge } = await edgeWith(t, [
    ['ip', '192.0.2.1', 'block'],
    ['ip_range', '192.0.2.0/24', 'whitelist'],
    ['ip', '198.51.100.1', 'challenge'],
    ['ip_range', '198.51.100.0/24', 'block'],
    ['ip', '198.51.100.2', 'block', 'account'],
    ['ip', '198.51.100.3', 'js_challenge'],
    ['ip', '198.51.100.3', 'block', 'account'],
  ])
  assert.deepEqual((await ask('192.0.2.1')).status, 200)
  assert.deepEqual(edge.events, [], 'requests that a rule allows have no event')
  for (const [ip, action] of [
    ['198.51.100.1', 'challenge'],
    ['198.51.100.2', 'block'],
    ['198.51.100.3', 'jschallenge'],
    ['198.51.100.4', 'block'],
  ] as const) {
    await ask(ip)
    assert.equal(edge.records.at(-1)!['SecurityAction'], action, ip)
  }
})

test('an allowed address or network passes all rules, and an allowed country all but managed ones', async t => {
  const rows: [Row, ip: string, custom: number, managed: number][] = [
    [['ip', '192.0.2.1', 'whitelist'], '192.0.2.1', 200, 200],
    [['asn', '64496', 'whitelist'], '203.0.113.1', 200, 200],
    [['country', 'DE', 'whitelist', 'account'], '203.0.113.1', 200, 403],
    [['country', 'FR', 'whitelist'], '203.0.113.1', 403, 403],
  ]
  for (const [row, ip, custom, managed] of rows) {
    const { ask } = await edgeWith(t, [row])
    assert.deepEqual(
      [(await ask(ip, '/custom')).status, (await ask(ip, '/managed')).status],
      [custom, managed],
    )
  }
})

test('a client that has solved a challenge passes the rule, and other rules still act on it', async t => {
  const table = tableOf([['ip', '127.0.0.1', 'challenge']])
  const blocks = [rule({ kind: 'action', action: 'block' }, view => view.path === '/no')]
  const { url } = await startOrigin(t, (_request, response) => response.end('origin'))
  const edge = await startEdge(t, planFor(url, { custom: blocks, accessRules: table }))
  const holder = { zoneId, clientIp: '127.0.0.1', userAgent: 'Browser' }
  const clearance = issueClearance('key of the test', holder, Math.floor(Date.now() / 1000) + 60)
  const headers = { 'User-Agent': 'Browser', Cookie: `${clearanceCookie}=${clearance}` }
  assert.equal((await fetch(edge.url)).status, 403)
  assert.equal((await fetch(edge.url, { headers })).status, 200)
  assert.deepEqual(edge.records.at(-1)!['SecurityActions'], ['challengeBypassed'])
  assert.equal((await fetch(`${edge.url}/no`, { headers })).status, 403)
})
