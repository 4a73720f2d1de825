import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { api, discard, type Instance, startSluice, testCrs } from '../support/sluice.ts'
import {
  assertApplied,
  type KnownRuleset,
  lasting,
  type PlannedRule,
  type PlannedRuleset,
  sentRuleset,
} from '../support/terraform.ts'

/** The calls of Terraform's provider for rulesets: apply, read, plan again, change in the middle, destroy. */
const skip = existsSync(testCrs) ? false : 'needs an OWASP CRS release, and none was found'
const options = { skip }

const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'
const lastRule = '6179ae15870a4bb7b2d480d4843b323c'
const normalization = '70339d97bdb34195bbf054b1ebe81f76'
const publicKey = 'Ycig/Zr/pZmklmFUN99nr+taURlYItL91g+NcHGYpB8='
const enterprise = 'and cf.zone.plan eq "ENT"'

let sluice: Instance
let account: string
let zone: string
let managedRules: readonly string[]

before(async () => {
  if (skip) return
  sluice = await startSluice({ settings: { SLUICE_CRS: testCrs, SLUICE_ROLES: 'control' } })
  account = (await api(sluice, 'GET', '/accounts')).result[0].id
  const made = await api(sluice, 'POST', '/zones', {
    name: 'terraform.test',
    account: { id: account },
    origin: { url: 'http://127.0.0.1:9' },
  })
  zone = made.result.id
  const ruleset = await api(sluice, 'GET', `/zones/${zone}/rulesets/${owasp}`)
  managedRules = ruleset.result.rules.map((rule: { id: string }) => rule.id)
})

after(async () => {
  if (!skip) await discard(sluice)
})

async function expectOk(method: string, path: string, body?: unknown): Promise<KnownRuleset> {
  const answer = await api(sluice, method, path, body)
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.errors)}`)
  return answer.result as KnownRuleset
}

const zoneRulesets = (): string => `/zones/${zone}/rulesets`
const accountRulesets = (): string => `/accounts/${account}/rulesets`

/** Applies, reads, plans and applies again, and takes it away. */
async function live(base: string, planned: PlannedRuleset): Promise<void> {
  const created = await expectOk('POST', base, sentRuleset(planned))
  assertApplied(planned, created)
  assert.equal(created.version, '1')
  const path = `${base}/${created.id}`
  assert.deepEqual(await expectOk('GET', path), created, 'a read is what the apply answered')

  const again = await expectOk('PUT', path, sentRuleset(planned, created))
  assert.deepEqual(lasting(again), lasting(created), 'the same documents change nothing')
  assertApplied(planned, again)
  assert.equal(again.version, '2')

  assert.equal((await api(sluice, 'DELETE', path)).status, 204)
  assert.equal((await api(sluice, 'GET', path)).status, 404)
}

function zoneRuleset(phase: string, rules: readonly PlannedRule[]): PlannedRuleset {
  return { kind: 'zone', name: `terraform ${phase}`, phase, rules }
}

test('custom rules with every action', options, async () => {
  await live(
    zoneRulesets(),
    zoneRuleset('http_request_firewall_custom', [
      { action: 'block', expression: '(http.host eq "a.test")', description: 'block', enabled: true },
      {
        action: 'block',
        expression: 'http.request.uri.path wildcard "/x*"',
        action_parameters: {
          response: { status_code: 418, content: '{"no":1}', content_type: 'application/json' },
        },
      },
      { action: 'managed_challenge', expression: 'ip.src in {203.0.113.0/24 2001:db8::/32}', ref: 'mc' },
      { action: 'js_challenge', expression: 'ssl', enabled: false },
      { action: 'challenge', expression: 'not ssl', description: '' },
      { action: 'log', expression: 'any(http.request.headers["x"][*] matches r#"^"?a"#)' },
      {
        action: 'skip',
        expression: 'http.request.uri.path eq "/health"',
        action_parameters: { ruleset: 'current' },
        logging: { enabled: false },
      },
      {
        action: 'skip',
        expression: 'ip.src eq 203.0.113.9',
        action_parameters: {
          phases: ['http_ratelimit', 'http_request_firewall_managed'],
          ruleset: 'current',
        },
        logging: { enabled: true },
      },
      { action: 'skip', expression: 'true', action_parameters: { products: ['waf', 'bic'] } },
      { action: 'skip', expression: 'true', action_parameters: { phase: 'current' } },
    ]),
  )
})

test('the managed ruleset with every form of override', options, async () => {
  const [first, second] = managedRules
  const run = (overrides?: object, more: object = {}): PlannedRule => ({
    action: 'execute',
    expression: 'true',
    action_parameters: { id: owasp, ...(overrides === undefined ? {} : { overrides }), ...more },
  })
  const forms: readonly PlannedRule[] = [
    run(),
    run({ action: 'log' }),
    run({ enabled: false, rules: [{ id: first, enabled: true }] }),
    run({
      categories: [
        { category: 'paranoia-level-3', enabled: false },
        { category: 'paranoia-level-4', enabled: false, action: 'block' },
        { category: 'a-tag-of-tomorrow', action: 'log' },
      ],
    }),
    run({ rules: [{ id: lastRule, score_threshold: 60, action: 'managed_challenge' }] }),
    run({
      rules: [
        { id: second, enabled: false },
        { id: first, action: 'log' },
        { id: lastRule, score_threshold: 25, action: 'js_challenge', enabled: true },
      ],
      categories: [{ category: 'paranoia-level-2', enabled: true }],
      enabled: true,
      action: 'block',
    }),
    run(undefined, { matched_data: { public_key: publicKey } }),
  ]
  for (const form of forms) await live(zoneRulesets(), zoneRuleset('http_request_firewall_managed', [form]))
})

test('exceptions before the managed ruleset', options, async () => {
  const [first, second] = managedRules
  await live(
    zoneRulesets(),
    zoneRuleset('http_request_firewall_managed', [
      { action: 'skip', expression: 'http.host eq "a.test"', action_parameters: { rulesets: [owasp] } },
      {
        action: 'skip',
        expression: 'http.request.uri.path eq "/editor"',
        action_parameters: { rules: { [owasp]: [second, first] } },
        logging: { enabled: false },
      },
      { action: 'skip', expression: 'false', action_parameters: { ruleset: 'current' } },
      { action: 'execute', expression: 'true', action_parameters: { id: owasp } },
    ]),
  )
})

test('transforms, redirects, routes and settings', options, async () => {
  const documents: readonly PlannedRuleset[] = [
    zoneRuleset('http_request_sanitize', [
      { action: 'execute', expression: 'true', action_parameters: { id: normalization } },
    ]),
    zoneRuleset('http_request_dynamic_redirect', [
      {
        action: 'redirect',
        expression: 'http.request.uri.path eq "/old"',
        action_parameters: {
          from_value: {
            target_url: { value: 'https://new.test/' },
            status_code: 301,
            preserve_query_string: false,
          },
        },
      },
      {
        action: 'redirect',
        expression: 'http.request.uri.path wildcard "/blog/*"',
        action_parameters: {
          from_value: {
            target_url: {
              expression: 'wildcard_replace(http.request.full_uri, "*/blog/*", "${1}/news/${2}")',
            },
            status_code: 308,
            preserve_query_string: true,
          },
        },
      },
    ]),
    zoneRuleset('http_request_transform', [
      {
        action: 'rewrite',
        expression: 'true',
        action_parameters: { uri: { path: { value: '/fixed' }, query: { value: '' } } },
      },
      {
        action: 'rewrite',
        expression: 'true',
        action_parameters: {
          uri: { path: { expression: 'regex_replace(http.request.uri.path, "^/a/", "/b/")' } },
        },
      },
    ]),
    zoneRuleset('http_request_late_transform', [
      {
        action: 'rewrite',
        expression: 'true',
        action_parameters: {
          headers: {
            'X-Static': { operation: 'set', value: 'one' },
            'x-dynamic': { operation: 'set', expression: 'to_string(ip.src.asnum)' },
            'x-gone': { operation: 'remove' },
          },
        },
      },
    ]),
    zoneRuleset('http_response_headers_transform', [
      {
        action: 'rewrite',
        expression: 'http.response.code ge 200',
        action_parameters: {
          headers: {
            'set-cookie': { operation: 'add', value: 'a=1' },
            'x-frame-options': { operation: 'set', value: 'DENY' },
            server: { operation: 'remove' },
          },
        },
      },
    ]),
    zoneRuleset('http_request_origin', [
      {
        action: 'route',
        expression: 'starts_with(http.request.uri.path, "/api/")',
        action_parameters: {
          host_header: 'api.internal.test',
          origin: { host: 'api.internal.test', port: 8443 },
          sni: { value: 'api.internal.test' },
        },
      },
      { action: 'route', expression: 'true', action_parameters: { origin: { port: 8080 } } },
    ]),
    zoneRuleset('http_config_settings', [
      { action: 'set_config', expression: 'true', action_parameters: { security_level: 'under_attack' } },
      { action: 'set_config', expression: 'true', action_parameters: { ssl: 'strict' } },
    ]),
  ]
  for (const document of documents) await live(zoneRulesets(), document)
})

test('rate limits', options, async () => {
  await live(
    zoneRulesets(),
    zoneRuleset('http_ratelimit', [
      {
        action: 'block',
        expression: 'http.request.uri.path eq "/login"',
        description: 'logins',
        ratelimit: {
          characteristics: ['cf.colo.id', 'ip.src'],
          period: 60,
          requests_per_period: 5,
          mitigation_timeout: 600,
          requests_to_origin: false,
        },
        action_parameters: {
          response: { status_code: 429, content: 'slow down', content_type: 'text/plain' },
        },
      },
      {
        action: 'log',
        expression: 'true',
        ratelimit: {
          characteristics: ['cf.colo.id', 'ip.src', 'http.request.headers["x-key"]'],
          period: 10,
          requests_per_period: 100,
          mitigation_timeout: 0,
          counting_expression: 'http.response.code in {401 403}',
          requests_to_origin: true,
        },
      },
    ]),
  )
})

test('custom log fields of every kind', options, async () => {
  await live(
    zoneRulesets(),
    zoneRuleset('http_log_custom_fields', [
      {
        action: 'log_custom_field',
        expression: 'true',
        description: 'Log custom fields',
        action_parameters: {
          request_fields: [{ name: 'x-a' }, { name: 'accept' }],
          transformed_request_fields: [{ name: 'x-b' }],
          response_fields: [{ name: 'server' }, { name: 'set-cookie', preserve_duplicates: true }],
          raw_response_fields: [{ name: 'x-raw', preserve_duplicates: false }],
          cookie_fields: [{ name: 'SessionId' }],
        },
      },
    ]),
  )
})

test('custom rulesets of an account, and the rules that run them', options, async () => {
  const custom = await expectOk('POST', accountRulesets(), {
    kind: 'custom',
    name: 'shared rules',
    phase: 'http_request_firewall_custom',
    description: 'for every zone',
    rules: [{ action: 'block', expression: 'http.host eq "b.test"', ref: 'b', enabled: true }],
  })
  const root: PlannedRuleset = {
    kind: 'root',
    name: 'account',
    phase: 'http_request_firewall_custom',
    rules: [
      {
        action: 'execute',
        expression: `(http.host ne "c.test") ${enterprise}`,
        action_parameters: { id: custom.id },
      },
    ],
  }
  const entry = await expectOk('POST', accountRulesets(), sentRuleset(root))
  assertApplied(root, entry)
  const refused = await api(sluice, 'DELETE', `${accountRulesets()}/${custom.id}`)
  assert.equal(refused.status, 400, 'a ruleset in use stays')
  assert.equal((await api(sluice, 'DELETE', `${accountRulesets()}/${entry.id}`)).status, 204)
  assert.equal((await api(sluice, 'DELETE', `${accountRulesets()}/${custom.id}`)).status, 204)

  await live(accountRulesets(), {
    kind: 'root',
    name: 'account managed',
    phase: 'http_request_firewall_managed',
    rules: [
      {
        action: 'execute',
        expression: `(http.host ne "c.test") ${enterprise}`,
        action_parameters: { id: owasp, overrides: { action: 'log' } },
      },
    ],
  })
  await live(zoneRulesets(), {
    kind: 'custom',
    name: 'own',
    phase: 'http_request_firewall_custom',
    rules: [],
  })
})

test('a rule put in the middle changes one rule only', options, async () => {
  const rule = (name: string): PlannedRule => ({
    action: 'block',
    expression: `http.host eq "${name}.test"`,
    ref: name,
    description: name,
  })
  const before = zoneRuleset('http_request_firewall_custom', ['a', 'b', 'c', 'd'].map(rule))
  const created = await expectOk('POST', zoneRulesets(), sentRuleset(before))
  const path = `${zoneRulesets()}/${created.id}`
  const steps: readonly (readonly string[])[] = [
    ['a', 'b', 'new', 'c', 'd'],
    ['first', 'a', 'b', 'new', 'c', 'd'],
    ['d', 'c', 'new', 'b', 'a', 'first'],
    ['c', 'b'],
  ]
  const known = new Map(created.rules.map(one => [one.ref, one]))
  for (const names of steps) {
    const planned = zoneRuleset('http_request_firewall_custom', names.map(rule))
    const answer = await expectOk('PUT', path, sentRuleset(planned))
    assertApplied(planned, answer)
    for (const one of answer.rules) {
      const old = known.get(one.ref)
      if (old !== undefined) assert.deepEqual(one, old, `${one.ref} is as it was`)
      else assert.equal(one.version, '1')
      known.set(one.ref, one)
    }
  }
  const edited = zoneRuleset('http_request_firewall_custom', [{ ...rule('c'), action: 'log' }, rule('b')])
  const answer = await expectOk('PUT', path, sentRuleset(edited))
  assert.deepEqual(answer.rules[1], known.get('b'), 'b is as it was')
  assert.equal(answer.rules[0]!.id, known.get('c')!.id)
  assert.equal(answer.rules[0]!.version, '2')
  assert.equal((await api(sluice, 'DELETE', path)).status, 204)
})

test('rules without a ref keep their ids by the ref that the answer gave them', options, async () => {
  const rule = (host: string): PlannedRule => ({ action: 'log', expression: `http.host eq "${host}"` })
  const planned = zoneRuleset('http_request_firewall_custom', [rule('a'), rule('b')])
  const created = await expectOk('POST', zoneRulesets(), sentRuleset(planned))
  for (const one of created.rules) assert.equal(one.ref, one.id)
  const path = `${zoneRulesets()}/${created.id}`
  const again = await expectOk('PUT', path, sentRuleset(planned, created))
  assert.deepEqual(lasting(again), lasting(created))
  assert.equal((await api(sluice, 'DELETE', path)).status, 204)
})

test('a removed member of the configuration is sent as null, and is gone', options, async () => {
  const path = `${zoneRulesets()}/phases/http_request_firewall_custom/entrypoint`
  const full = { action: 'block', expression: 'ssl', description: 'why', ref: 'r', enabled: true }
  await expectOk('PUT', path, { rules: [{ ...full, action_parameters: { response: ownResponse } }] })
  const answer = await expectOk('PUT', path, {
    rules: [
      { ...full, description: null, action_parameters: { response: null }, ratelimit: null, logging: null },
    ],
  })
  const [rule] = answer.rules
  assert.equal('description' in rule!, false)
  assert.deepEqual(rule!['action_parameters'], {})
  assert.equal('ratelimit' in rule!, false)
  assert.equal((await api(sluice, 'DELETE', `${zoneRulesets()}/${answer.id}`)).status, 204)
})

const ownResponse = { status_code: 403, content: 'no', content_type: 'text/plain' }
