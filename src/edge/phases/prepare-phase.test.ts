import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Rule, Ruleset } from '../../model/resource.ts'
import { defaultZoneSettings, type ZoneSettings } from '../../model/zone-settings.ts'
import { buildPlan } from '../../rulesets/index.ts'
import { accepted } from '../../rulesets/testing/documents.ts'
import { eventually, planFor, startEdge, startOrigin } from '../testing/fixture.ts'

type Parts = Pick<Rule, 'action' | 'expression'> & Partial<Rule>

/** A site with these custom rules, in an installation that knows the password `Passwört`. */
async function siteWith(t: TestContext, rules: readonly Parts[], settings: Partial<ZoneSettings> = {}) {
  const { url: originUrl } = await startOrigin(t, (request, response) =>
    response.end(request.headers['x-exposed']),
  )
  const ruleset: Ruleset = {
    id: 'custom',
    scope: { kind: 'zone', id: 'z' },
    name: '',
    description: '',
    kind: 'zone',
    phase: 'http_request_firewall_custom',
    version: 1,
    lastUpdated: '',
    rules: rules.map((rule, at) => {
      const id = `rule-${at}`
      return { id, version: 1, enabled: true, ref: id, lastUpdated: '', ...rule }
    }),
  }
  const { zone } = planFor(originUrl)
  const plan = accepted(
    buildPlan({
      zone,
      settings: { ...defaultZoneSettings, leakedCredentialChecks: true, ...settings },
      accountRulesets: [],
      zoneRulesets: [ruleset],
      managed: () => undefined,
      lists: () => undefined,
      redirectLists: () => undefined,
    }),
  )
  const asked: string[] = []
  const leakedPasswords = {
    has: async (password: string) => {
      asked.push(Buffer.from(password, 'latin1').toString())
      return password === Buffer.from('Passwört').toString('latin1')
    },
  }
  const edge = await startEdge(t, plan, { leakedPasswords })
  const post = async (type: string, body: string) => {
    const headers = { Host: 'site.test', 'Content-Type': type }
    return fetch(edge.url, { method: 'POST', headers, body })
  }
  return {
    ...edge,
    asked,
    form: (values: Record<string, string>) =>
      post('application/x-www-form-urlencoded', new URLSearchParams(values).toString()),
    json: (value: unknown) => post('application/json', JSON.stringify(value)),
  }
}

const leaked = { action: 'block', expression: 'cf.waf.credential_check.password_leaked' }
const detected = { action: 'log', expression: 'cf.waf.auth_detected' }

test('sign-ins of usual forms are found, and their leaked passwords', async t => {
  const site = await siteWith(t, [detected, leaked])
  const rows: readonly (readonly [Record<string, string>, status: number])[] = [
    [{ log: 'ann', pwd: 'Passwört' }, 403],
    [{ name: 'ann', pass: 'Passwört' }, 403],
    [{ 'login[username]': 'ann', 'login[password]': 'Passwört' }, 403],
    [{ __ac_name: 'ann', __ac_password: 'secret' }, 200],
  ]
  for (const [values, status] of rows) assert.equal((await site.form(values)).status, status)
  assert.equal((await site.json({ username: 'ann', password: 'Passwört' })).status, 403)
  assert.equal((await site.form({ q: 'Passwört', name: 'ann' })).status, 200)
  assert.equal((await site.json(['Passwört'])).status, 200)
  await eventually(() => site.records.length === 7)
  const actions = site.records.map(record => record['SecurityAction'])
  assert.deepEqual(actions.sort(), ['', '', '', 'block', 'block', 'block', 'block'])
  assert.equal(site.events.filter(event => event['RuleID'] === 'rule-0').length, 5)
  assert.doesNotMatch(JSON.stringify([site.records, site.events, site.audit]), /Passw|secret/)
})

test('a custom detection location finds credentials elsewhere', async t => {
  const credentialDetections = [
    {
      id: 'd',
      username: 'lookup_json_string(http.request.body.raw, "account", "id")',
      password: 'lookup_json_string(http.request.body.raw, "account", "key")',
    },
  ]
  const site = await siteWith(t, [leaked], { credentialDetections })
  assert.equal((await site.json({ account: { id: 'ann', key: 'Passwört' } })).status, 403)
  assert.equal((await site.json({ account: { id: 'ann', key: 'other' } })).status, 200)
  assert.equal((await site.form({ username: 'ann', password: 'Passwört' })).status, 403)
})

test('without the check, and without a rule that asks, no password is looked up', async t => {
  const off = await siteWith(t, [detected, leaked], { leakedCredentialChecks: false })
  const unasked = await siteWith(t, [{ action: 'log', expression: 'true' }])
  for (const site of [off, unasked]) {
    assert.equal((await site.form({ username: 'ann', password: 'Passwört' })).status, 200)
    assert.deepEqual(site.asked, [])
  }
})

test('a rule with its own check matches a leaked password, and tells the origin', async t => {
  const exposedCredentialCheck = {
    username_expression: 'url_decode(http.request.body.form["u"][0])',
    password_expression: 'url_decode(http.request.body.form["p"][0])',
  }
  const actionParameters = { headers: { 'X-Exposed': { operation: 'set', value: 'yes' } } }
  const rule = { action: 'rewrite', expression: 'true', actionParameters, exposedCredentialCheck }
  const site = await siteWith(t, [rule], { leakedCredentialChecks: false })
  const toldOrigin = async (values: Record<string, string>) => (await site.form(values)).text()
  assert.equal(await toldOrigin({ u: 'ann', p: 'Passwört' }), 'yes')
  assert.equal(await toldOrigin({ u: 'ann', p: 'other' }), '')
  assert.equal(await toldOrigin({ u: '', p: 'Passwört' }), '')
  assert.equal(await toldOrigin({}), '')
})
