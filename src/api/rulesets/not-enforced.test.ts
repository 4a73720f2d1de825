import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, owaspId, type TestApi } from '../testing/test-api.ts'

let api: TestApi
let rulesets: string
before(async () => {
  api = await openTestApi({ notEnforced: 'keep' })
  rulesets = `${api.zonePath}/rulesets`
})
after(() => api.close())

const put = (phase: string, rules: object[]) =>
  api.send('PUT', `${rulesets}/phases/${phase}/entrypoint`, { rules })
const texts = (messages: readonly { message: string }[]) => messages.map(({ message }) => message)

test('a ruleset of a phase that is not enforced is returned as sent, with a message and an audit entry', async () => {
  const phase = 'http_request_cache_settings'
  const parameters = { cache: true, edge_ttl: { mode: 'override_origin', default: 60 } }
  const rule = { action: 'set_cache_settings', expression: 'true', action_parameters: parameters }
  const made = await put(phase, [rule, rule])
  assert.equal(made.status, 200, JSON.stringify(made.body))
  const message =
    "not enforced here: 'http_request_cache_settings' is not a valid value for phase because it has no meaning on a self-hosted edge: the edge keeps no cache"
  assert.deepEqual(texts(made.body.messages), [message])
  assert.deepEqual(made.body.result.rules[0].action_parameters, parameters)
  const read = await api.send('GET', `${rulesets}/phases/${phase}/entrypoint`)
  assert.deepEqual(read.body.result, made.body.result)
  const { body } = await api.send('GET', `/accounts/${api.accountId}/audit_logs?direction=desc&per_page=1`)
  assert.deepEqual(
    body.result[0].newValueJson.not_enforced.map((text: string) => `not enforced here: ${text}`),
    [message],
  )
})

test('parts of rules that are not enforced are kept, and the rest is enforced and checked', async () => {
  const closed = 'efb7b8c949ac4650a09736fc376e9aee'
  const unknown = '04116d14d7524986ba314d11c8a41e11'
  const execute = (parameters: object) => ({
    action: 'execute',
    expression: 'true',
    action_parameters: parameters,
  })
  const configure = (parameters: object) => ({
    action: 'set_config',
    expression: 'true',
    action_parameters: parameters,
  })
  const rows: [phase: string, rule: object, reasons: RegExp[]][] = [
    ['http_request_firewall_managed', execute({ id: closed }), [/Cloudflare Managed Ruleset/]],
    [
      'http_request_firewall_managed',
      execute({ id: owaspId, overrides: { rules: [{ id: unknown, action: 'block' }] } }),
      [/has no rule with this id/],
    ],
    [
      'http_config_settings',
      configure({ mirage: true, rocket_loader: true, bic: true }),
      [/'mirage'/, /'rocket_loader'/],
    ],
    [
      'http_config_settings',
      configure({ security_level: 'high', ssl: 'off' }),
      [/'off'/, /^partly enforced here: security_level: no reputation/],
    ],
  ]
  for (const [phase, rule, reasons] of rows) {
    const { status, body } = await put(phase, [rule])
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.messages.length, reasons.length, JSON.stringify(body.messages))
    for (const [at, reason] of reasons.entries()) assert.match(body.messages[at].message, reason)
  }
  const enforced = await put('http_config_settings', [configure({ security_level: 'under_attack' })])
  assert.deepEqual(enforced.body.messages, [])
  for (const [phase, rule, code] of [
    ['http_config_settings', configure({ bic: true, security_level: 'none' }), 20203],
    ['http_config_settings', configure({ bic: true, colour: 1 }), 20201],
    ['http_config_settings', configure({}), 20113],
    ['http_request_firewall_managed', execute({ id: 'a'.repeat(32) }), 20210],
  ] as const)
    assert.equal((await put(phase, [rule])).body.errors[0].code, code)
})

test('a rule that is not enforced has an action of its phase, and a bounded size', async () => {
  const cached = (rule: object) =>
    put('http_request_cache_settings', [{ action: 'set_cache_settings', expression: 'true', ...rule }])
  for (const [rule, code, pointer] of [
    [{ action: 'nonsense' }, 20204, 'action'],
    [{ action: 'block' }, 20016, 'action'],
    [{ action_parameters: { cache_tags: 'a'.repeat(65_536) } }, 20203, 'action_parameters'],
    [{ expression: `"${'a'.repeat(65_536)}" eq ""` }, 20203, 'expression'],
  ] as const) {
    const { body } = await cached(rule)
    assert.equal(body.errors[0].code, code, JSON.stringify(body).slice(0, 500))
    assert.equal(body.errors[0].source.pointer, `/rules/0/${pointer}`)
  }
  assert.equal((await put('ddos_l7', [{ action: 'score', expression: 'true' }])).body.errors[0].code, 20016)
  assert.equal((await put('http_request_snippets', [{ action: 'route', expression: 'true' }])).status, 200)
})

test('a kept phase is governed by the permission group that Cloudflare has for it', async () => {
  const zone = `zone.${api.zoneId}`
  const account = `/accounts/${api.accountId}`
  for (const [path, resource, group, phase, action] of [
    [api.zonePath, zone, 'Cache Settings Write', 'http_request_cache_settings', 'set_cache_settings'],
    [api.zonePath, zone, 'HTTP DDoS Managed Ruleset Write', 'ddos_l7', 'execute'],
    [api.zonePath, zone, 'Domain API Gateway', 'http_request_api_gateway_early', 'log'],
    [account, api.accountId, 'L4 DDoS Managed Ruleset Write', 'ddos_l4', 'execute'],
    [account, api.accountId, 'Magic Firewall Write', 'magic_transit', 'block'],
  ] as const) {
    const groups = await api.send('GET', `/user/tokens/permission_groups?name=${encodeURIComponent(group)}`)
    const token = await api.send('POST', '/user/tokens', {
      name: group,
      policies: [
        {
          effect: 'allow',
          permission_groups: [{ id: groups.body.result[0].id }],
          resources: { [`com.cloudflare.api.account.${resource}`]: '*' },
        },
      ],
    })
    assert.deepEqual(token.body.messages, [], JSON.stringify(token.body))
    const own = { authorization: `Bearer ${token.body.result.value}` }
    const rules = [{ action, expression: 'true' }]
    const write = (name: string) =>
      api.send('PUT', `${path}/rulesets/phases/${name}/entrypoint`, { rules }, own)
    const made = await write(phase)
    assert.equal(made.status, 200, `${group}: ${JSON.stringify(made.body)}`)
    const shown = await api.send('GET', `${path}/rulesets/${made.body.result.id}`, undefined, own)
    assert.deepEqual(shown.body.result, made.body.result)
    const listed = await api.send('GET', `${path}/rulesets`, undefined, own)
    assert.ok(listed.body.result.some(({ id }: { id: string }) => id === made.body.result.id))
    for (const other of ['http_config_settings', 'http_request_firewall_custom'])
      assert.equal((await write(other)).status, 403, `${group}: ${other}`)
  }
})

test('a rule that tests less than at Cloudflare is stored, with a message and an audit entry', async t => {
  const blind = await openTestApi({ hasGeoDatabases: false })
  t.after(() => blind.close())
  const write = (path: string, expressions: string[]) =>
    blind.send('PUT', `${blind.zonePath}/rulesets/phases/http_request_firewall_custom/entrypoint${path}`, {
      rules: expressions.map(expression => ({ action: 'block', expression })),
    })
  const expressions = ['cf.bot_management.score lt 30', 'ip.src.asnum eq 13335', 'ip.src.asnum eq 64496']
  const reasons = [
    /^partly enforced here: cf\.bot_management\.score is always 99: /,
    /^partly enforced here: ip\.src\.asnum is always 0: no database in SLUICE_GEO_DATABASES /,
  ]
  for (const path of ['?dry_run=true', '']) {
    const { status, body } = await write(path, expressions)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.messages.length, reasons.length, JSON.stringify(body.messages))
    for (const [at, reason] of reasons.entries()) assert.match(body.messages[at].message, reason)
  }
  const { body } = await blind.send(
    'GET',
    `/accounts/${blind.accountId}/audit_logs?direction=desc&per_page=1`,
  )
  const noted = body.result[0].newValueJson.partly_enforced
  for (const [at, reason] of reasons.entries()) assert.match(`partly enforced here: ${noted[at]}`, reason)
  const covered = await blind.send('GET', `${blind.zonePath}/coverage`)
  assert.match(covered.body.result.items[0].reason, /; rule 2: ip\.src\.asnum is always 0: /)
  assert.deepEqual((await write('', ['http.host eq "a"'])).body.messages, [])
})

test('with the default, a kept ruleset can still be read and deleted, and not be written', async t => {
  const made = await put('ddos_l7', [
    { action: 'execute', expression: 'true', action_parameters: { id: '4d21379b4f9f4bb088e0729962c8b3cf' } },
  ])
  assert.equal(made.status, 200, JSON.stringify(made.body))
  const refusing = await openTestApi({}, async () => ({ ...api.store, close: async () => undefined }))
  t.after(() => refusing.close())
  const path = `${refusing.zonePath}/rulesets/${made.body.result.id}`
  assert.equal((await refusing.send('GET', path)).body.result.phase, 'ddos_l7')
  const refused = await refusing.send('PUT', path, { rules: [{ action: 'execute', expression: 'true' }] })
  assert.equal(refused.body.errors[0].code, 20206)
  assert.equal((await refusing.send('DELETE', path)).status, 204)
})
