import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { ZoneSettings } from '../../model/zone-settings.ts'
import type { ConfigureEffect, PlanRule, SkipEffect } from '../../rulesets/plan/plan.ts'
import {
  configuration,
  eventually,
  planFor,
  planPhase,
  rule,
  startEdge,
  startOrigin,
} from '../testing/fixture.ts'

const always = () => true

function configure(parts: Partial<ConfigureEffect>): PlanRule {
  return rule(configuration(parts), always, 'configured')
}

function skip(...products: readonly ('bic' | 'hot' | 'securityLevel')[]): PlanRule {
  const effect: SkipEffect = {
    kind: 'skip',
    current: undefined,
    phases: new Set(),
    rulesets: new Set(),
    products: new Set(products),
    excepts: false,
    logs: false,
  }
  return rule(effect)
}

interface Zone {
  readonly settings?: Partial<ZoneSettings>
  readonly configured?: readonly PlanRule[]
  readonly custom?: readonly PlanRule[]
  /** Runs after the checks. */
  readonly managed?: readonly PlanRule[]
}

async function startZone(t: TestContext, { settings, configured = [], custom = [], managed = [] }: Zone) {
  const origin = await startOrigin(t, (_request, response) => response.end('reached'))
  const phases = [
    planPhase('http_config_settings', { zone: configured }),
    planPhase('http_request_firewall_custom', { zone: custom }),
    planPhase('http_request_firewall_managed', { zone: managed }),
  ]
  return startEdge(
    t,
    planFor(origin.url, {
      request: phases.filter(({ rulesets }) => rulesets.length > 0),
      ...(settings && { settings }),
    }),
  )
}

interface Answered {
  readonly status: number
  readonly mitigated: string | undefined
}

/** By Node's client, because `fetch` always sends a User-Agent. */
function send(url: string, headers: Record<string, string> = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { headers }, response => {
      response.resume()
      const mitigated = response.headers['cf-mitigated'] as string | undefined
      response.once('end', () => resolve({ status: response.statusCode!, mitigated }))
    })
    sent.once('error', reject).end()
  })
}

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0' }
const passed = { status: 200, mitigated: undefined }
const blocked = { status: 403, mitigated: undefined }
const challenged = { status: 403, mitigated: 'challenge' }

test('Browser Integrity Check refuses attack programs, and challenges clients without a User-Agent', async t => {
  const { url, records, events } = await startZone(t, { settings: { browserCheck: true } })
  const rows: [userAgent: string | undefined, want: Answered][] = [
    [browser['user-agent'], passed],
    ['curl/8.9.1', passed],
    ['Mozilla/5.0 (compatible; Nmap Scripting Engine; https://nmap.org/book/nse.html)', blocked],
    ['sqlmap/1.8#stable (https://sqlmap.org)', blocked],
    ['User-Agent: Mozilla/5.0', blocked],
    ['<script>alert(1)</script>', blocked],
    ['Python-urllib/3.12', challenged],
    ['', challenged],
    [undefined, challenged],
  ]
  for (const [userAgent, want] of rows)
    assert.deepEqual(
      await send(url, userAgent === undefined ? {} : { 'user-agent': userAgent }),
      want,
      String(userAgent),
    )
  await eventually(() => records.length === rows.length)
  const seen = (at: number) =>
    ['SecurityAction', 'SecurityRuleID', 'SecuritySources', 'EdgeResponseStatus'].map(
      name => records[at]![name],
    )
  assert.deepEqual(seen(0), ['', '', [], 200])
  assert.deepEqual(seen(3), ['block', 'bic', ['bic'], 403])
  assert.deepEqual(seen(8), ['managedChallenge', 'bic', ['bic'], 403])
  const [first] = events
  assert.deepEqual([first!['Source'], first!['Action'], first!['RuleID']], ['bic', 'block', 'bic'])
})

test('hotlink protection keeps images from pages of other sites', async t => {
  const { url, records } = await startZone(t, { settings: { hotlinkProtection: true } })
  const rows: [path: string, referer: string | undefined, want: Answered][] = [
    ['/logo.png', undefined, passed],
    ['/logo.png', 'https://www.site.test/page', passed],
    ['/logo.png', 'https://SITE.test:8443', passed],
    ['/logo.PNG?size=2', 'https://other.test/page?site.test', blocked],
    ['/logo.png', 'https://site.test@other.test/', blocked],
    ['/logo.png', 'https://notsite.test/', blocked],
    ['/hotlink-ok/logo.png', 'https://other.test/', passed],
    ['/page', 'https://other.test/', passed],
    ['/logo.pn%67', 'https://other.test/', blocked],
    ['/logo%2epng', 'https://other.test/', blocked],
    ['/hotlink-ok%2f..%2flogo.png', 'https://other.test/', blocked],
    ['/hotlink-ok%2flogo.png', 'https://other.test/', passed],
  ]
  for (const [path, referer, want] of rows)
    assert.deepEqual(
      await send(`${url}${path}`, { host: 'site.test', ...(referer === undefined ? {} : { referer }) }),
      want,
      `${path} ${referer}`,
    )
  await eventually(() => records.length === rows.length)
  assert.deepEqual(
    ['SecurityAction', 'SecurityRuleID', 'SecuritySources'].map(name => records[3]![name]),
    ['block', 'hot', ['hot']],
  )
})

test('in Under Attack mode, clients without a clearance are challenged after the custom rules', async t => {
  const never = rule({ kind: 'action', action: 'block' }, () => assert.fail('evaluated after the challenge'))
  const log = rule({ kind: 'action', action: 'log' }, always, 'custom')
  const { url, records, events, edge } = await startZone(t, {
    settings: { underAttack: true },
    custom: [log],
    managed: [never],
  })
  assert.deepEqual(await send(url, browser), challenged)
  await eventually(() => records.length === 1)
  assert.deepEqual(
    ['SecurityAction', 'SecurityRuleID', 'SecuritySources'].map(name => records[0]![name]),
    ['managedChallenge', 'iuam', ['firewallCustom', 'securityLevel']],
  )
  assert.deepEqual(
    events.map(event => event['Source']),
    ['firewallcustom', 'securitylevel'],
  )
  assert.equal(edge.stats().challenged, 1)
})

test('configuration rules switch checks on and off for single requests, and skip rules leave them out', async t => {
  const on = { underAttack: true, browserCheck: true, hotlinkProtection: true }
  const off = { underAttack: false, browserCheck: false, hotlinkProtection: false }
  const rows: [zone: Zone, ruleIds: string[]][] = [
    [{ settings: on }, ['bic']],
    [{ settings: on, configured: [configure(off)] }, []],
    [{ configured: [configure(on)] }, ['configured']],
    [{ configured: [configure(on), configure(off)] }, []],
    [{ settings: on, custom: [skip('bic')] }, ['hot']],
    [{ settings: on, custom: [skip('bic'), skip('hot')] }, ['iuam']],
    [{ configured: [configure(on)], custom: [skip('bic', 'hot', 'securityLevel')] }, []],
  ]
  for (const [zone, ruleIds] of rows) {
    const { url, records } = await startZone(t, zone)
    const headers = { 'user-agent': 'nikto', referer: 'https://other.test/' }
    assert.equal((await send(`${url}/a.png`, headers)).status, ruleIds.length > 0 ? 403 : 200)
    await eventually(() => records.length === 1)
    assert.deepEqual(records[0]!['SecurityRuleIDs'], ruleIds)
  }
})

test('a paused zone checks nothing', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end())
  const plan = planFor(origin.url, { settings: { underAttack: true } })
  const { url } = await startEdge(t, { ...plan, zone: { ...plan.zone, paused: true } })
  assert.equal((await send(url)).status, 200)
})
