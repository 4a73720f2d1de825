import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Ruleset } from '../../model/resource.ts'
import { type Store, StoreError } from '../../store/index.ts'
import { apiLimits } from '../http/limits.ts'
import { lastRuleId, type Method, openTestApi, owaspId, type TestApi, token } from '../testing/test-api.ts'

let api: TestApi
let rulesets: string
before(async () => {
  api = await openTestApi()
  rulesets = `${api.zonePath}/rulesets`
})
after(() => api.close())

const customPhase = 'http_request_firewall_custom'
const managedPhase = 'http_request_firewall_managed'
const block = (changes: object = {}) => ({ action: 'block', expression: 'true', ...changes })
const execute = (overrides: object = {}) => ({
  action: 'execute',
  expression: 'true',
  enabled: true,
  action_parameters: { id: owaspId, version: 'latest', ...overrides },
})

/** Every test begins with a zone that has no rulesets. */
async function clear(): Promise<void> {
  const scope = { kind: 'zone', id: api.zoneId } as const
  for (const { id } of await api.store.rulesets.list(scope)) await api.store.rulesets.delete(scope, id)
}

async function entryPoint(rules: object[] = [block()]) {
  await clear()
  const { status, body } = await api.send('PUT', `${rulesets}/phases/${customPhase}/entrypoint`, { rules })
  assert.equal(status, 200, JSON.stringify(body.errors))
  return body.result
}

test('the managed ruleset is deployed and tuned as its documentation describes', async () => {
  await clear()
  const { body: list } = await api.send('GET', `/accounts/${api.accountId}/rulesets`)
  const managed = list.result.find((ruleset: { kind: string }) => ruleset.kind === 'managed')
  assert.equal(managed.id, owaspId)
  assert.equal(managed.version, '1')
  assert.equal(managed.source, 'firewall_managed')
  assert.equal(managed.description, '')
  assert.equal('rules' in managed, false)

  const { body: read } = await api.send('GET', `/accounts/${api.accountId}/rulesets/${owaspId}`)
  const last = read.result.rules.at(-1)
  assert.equal(last.id, lastRuleId)
  assert.equal(last.action, 'block')
  assert.equal(last.score_threshold, 40)
  assert.equal('expression' in last, false)

  const path = `${rulesets}/phases/${managedPhase}/entrypoint`
  const missing = await api.send('GET', path)
  assert.equal(missing.status, 404)
  assert.deepEqual(missing.body.errors, [
    { code: 10003, message: `could not find entrypoint ruleset in the ${managedPhase} phase` },
  ])

  const { body: deployed } = await api.send('PUT', path, { rules: [execute()] })
  assert.equal(deployed.result.kind, 'zone')
  assert.equal(deployed.result.version, '1')
  const rule = deployed.result.rules[0]
  assert.equal(rule.ref, rule.id)

  const overrides = {
    categories: [{ category: 'paranoia-level-4', enabled: false }],
    rules: [{ id: last.id, score_threshold: 60, action: 'managed_challenge' }],
  }
  const tuned = await api.send(
    'PATCH',
    `${rulesets}/${deployed.result.id}/rules/${rule.id}`,
    execute({ overrides }),
  )
  assert.equal(tuned.status, 200, JSON.stringify(tuned.body.errors))
  assert.equal(tuned.body.result.version, '2')
  assert.deepEqual(tuned.body.result.rules[0].action_parameters.overrides, overrides)
  assert.deepEqual((await api.send('GET', path)).body.result, tuned.body.result)
})

test('custom log fields are set as its documentation describes', async () => {
  await clear()
  const phase = 'http_log_custom_fields'
  const made = await api.send('POST', rulesets, { name: 'fields', kind: 'zone', description: 'd', phase })
  assert.equal(made.status, 200, JSON.stringify(made.body.errors))
  assert.deepEqual(made.body.result.rules, [])
  const action_parameters = { request_fields: [{ name: 'x-a' }], cookie_fields: [{ name: 'Session' }] }
  const put = await api.send('PUT', `${rulesets}/${made.body.result.id}`, {
    rules: [{ action: 'log_custom_field', expression: 'true', description: 'names', action_parameters }],
  })
  assert.equal(put.body.result.version, '2')
  const [rule] = put.body.result.rules
  assert.equal(rule.version, '1')
  assert.equal(rule.enabled, true)
  assert.equal(rule.description, 'names')
  assert.deepEqual(rule.action_parameters, action_parameters)
  assert.match(rule.last_updated, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
})

test('rules are added, changed and deleted, and the ruleset deleted', async () => {
  const { id } = await entryPoint([])
  const added = await api.send('POST', `${rulesets}/${id}/rules`, block({ description: 'one' }))
  assert.equal(added.status, 200)
  const [rule] = added.body.result.rules
  const patched = await api.send('PATCH', `${rulesets}/${id}/rules/${rule.id}`, block({ action: 'log' }))
  assert.equal(patched.body.result.rules[0].action, 'log')
  assert.equal(patched.body.result.rules[0].version, '2')
  assert.equal('description' in patched.body.result.rules[0], false)
  const emptied = await api.send('DELETE', `${rulesets}/${id}/rules/${rule.id}`)
  assert.equal(emptied.status, 200)
  assert.deepEqual(emptied.body.result.rules, [])
  assert.equal(emptied.body.result.version, '4')

  const gone = await api.send('DELETE', `${rulesets}/${id}`)
  assert.deepEqual(gone, { status: 204, body: undefined })
  for (const method of ['GET', 'DELETE'] as const) {
    const answer = await api.send(method, `${rulesets}/${id}`)
    assert.equal(answer.status, 404)
    assert.equal(answer.body.errors[0].code, 10001)
  }
})

test('account rulesets are visible only at the account', async () => {
  const path = `/accounts/${api.accountId}/rulesets`
  const made = await api.send('POST', path, { name: 'root', kind: 'root', phase: managedPhase })
  assert.equal(made.status, 200, JSON.stringify(made.body.errors))
  const { id } = made.body.result
  assert.equal((await api.send('GET', `${path}/${id}`)).status, 200)
  assert.equal((await api.send('GET', `${rulesets}/${id}`)).status, 404)
  assert.equal((await api.send('GET', `${path}/phases/${managedPhase}/entrypoint`)).body.result.id, id)
  assert.equal((await api.send('DELETE', `${path}/${id}`)).status, 204)
})

test("managed rulesets that are Cloudflare's alone are found by name, and say that they do nothing", async () => {
  const named = async (scope: string) =>
    new Map(
      (await api.send('GET', `${scope}/rulesets`)).body.result.map((one: { name: string }) => [
        one.name,
        one,
      ]),
    ) as ReadonlyMap<string, { id: string; phase: string; kind: string; version: string }>
  const ofAccount = await named(`/accounts/${api.accountId}`)
  const ofZone = await named(api.zonePath)
  const { id, phase, kind, version } = ofZone.get('Cloudflare Managed Ruleset')!
  assert.deepEqual(
    [id, phase, kind, version],
    ['efb7b8c949ac4650a09736fc376e9aee', 'http_request_firewall_managed', 'managed', '1'],
  )
  assert.equal(ofAccount.get('Cloudflare L3/4 DDoS Ruleset')?.phase, 'ddos_l4')
  assert.equal(ofZone.get('Cloudflare L3/4 DDoS Ruleset'), undefined)
  const { body } = await api.send('GET', `${rulesets}/${id}`)
  assert.deepEqual([body.result.id, body.result.rules], [id, []])
  assert.match(body.messages[0].message, /^not enforced here: .*the rules of the Cloudflare Managed Ruleset/)
  const execute = { action: 'execute', expression: 'true', action_parameters: { id } }
  const refused = await api.send('PUT', `${rulesets}/phases/${managedPhase}/entrypoint`, { rules: [execute] })
  assert.match(refused.body.errors[0].message, /the rules of the Cloudflare Managed Ruleset belong to/)
})

test('managed rulesets are read at both levels and changed at none', async t => {
  const rows: [Method, path: string, body?: object][] = [
    ['PUT', '', { rules: [] }],
    ['DELETE', ''],
    ['POST', '/rules', block()],
    ['PATCH', `/rules/${lastRuleId}`, block()],
    ['DELETE', `/rules/${lastRuleId}`],
  ]
  for (const scope of [`/accounts/${api.accountId}`, api.zonePath]) {
    const path = `${scope}/rulesets/${owaspId}`
    const before = (await api.send('GET', path)).body.result
    assert.equal(before.rules.length, 2)
    for (const [method, below, body] of rows) {
      await t.test(`${method} ${scope.split('/')[1]}${below.slice(0, 6)}`, async () => {
        const answer = await api.send(method, `${path}${below}`, body)
        assert.equal(answer.status, 400)
        assert.equal(answer.body.errors[0].code, 20213)
        assert.match(answer.body.errors[0].message, /managed rulesets cannot be changed/)
      })
    }
    assert.deepEqual((await api.send('GET', path)).body.result, before)
  }
})

test('refused writes change nothing', async t => {
  const { id, rules } = await entryPoint()
  const rule = `${id}/rules/${rules[0].id}`
  const unknown = '0'.repeat(32)
  const entryPointPath = `phases/${customPhase}/entrypoint`
  const rows: [name: string, Method, path: string, body: unknown, status: number, code?: number][] = [
    ['second entry point', 'POST', '', { name: 'b', kind: 'zone', phase: customPhase }, 400, 20217],
    ['no phase', 'POST', '', { name: 'b', kind: 'zone' }, 400],
    ['unknown phase', 'POST', '', { name: 'b', kind: 'zone', phase: 'colours' }, 400],
    ['root in a zone', 'POST', '', { name: 'b', kind: 'root', phase: managedPhase }, 400],
    ['unknown key', 'POST', '', { name: 'b', kind: 'zone', phase: managedPhase, colour: 1 }, 400],
    ['body that is an array', 'POST', '', [], 400, 10422],
    ['body that is a text', 'PUT', `/${id}`, '"rules"', 400, 10422],
    ['no body', 'PUT', `/${id}`, undefined, 400, 10422],
    ['rule without an expression', 'PUT', `/${id}`, { rules: [{ action: 'block' }] }, 400, 20125],
    ['expression that does not parse', 'POST', `/${id}/rules`, block({ expression: 'http.' }), 400],
    ['unknown action', 'POST', `/${id}/rules`, block({ action: 'explode' }), 400],
    ['unknown ruleset', 'PUT', `/${unknown}`, { rules: [] }, 404, 10001],
    ['rule of an unknown ruleset', 'POST', `/${unknown}/rules`, block(), 404, 10001],
    ['unknown rule', 'PATCH', `/${id}/rules/${unknown}`, block(), 404],
    ['deletion of an unknown rule', 'DELETE', `/${id}/rules/${unknown}`, undefined, 404],
    ['half a definition', 'PATCH', `/${rule}`, { enabled: false }, 400],
    ['kind in an entry point', 'PUT', `/${entryPointPath}`, { kind: 'zone', rules: [] }, 400],
    ['entry point of no phase', 'PUT', '/phases/colours/entrypoint', { rules: [] }, 400],
    [
      'entry point of a phase that is not here',
      'PUT',
      '/phases/http_request_cache_settings/entrypoint',
      { rules: [] },
      400,
    ],
    ['deletion of an unknown ruleset', 'DELETE', `/${unknown}`, undefined, 404, 10001],
    ['dry run that is neither', 'DELETE', `/${id}?dry_run=maybe`, undefined, 400, 10423],
  ]
  const stored = () => api.send('GET', `${rulesets}/${id}`)
  const before = (await stored()).body.result
  const count = (await api.send('GET', rulesets)).body.result.length
  for (const [name, method, path, body, status, code] of rows) {
    await t.test(name, async () => {
      const answer = await api.send(method, `${rulesets}${path}`, body)
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      assert.equal(answer.body.success, false)
      assert.equal(answer.body.result, null)
      assert.ok(answer.body.errors[0].message.length > 0)
      if (code !== undefined) assert.equal(answer.body.errors[0].code, code)
    })
  }
  assert.deepEqual((await stored()).body.result, before)
  assert.equal((await api.send('GET', rulesets)).body.result.length, count)
})

test('a second entry point is refused with the pointer to its kind', async () => {
  await entryPoint()
  const { body } = await api.send('POST', rulesets, { name: 'b', kind: 'zone', phase: customPhase })
  assert.deepEqual(body.errors, [
    {
      code: 20217,
      message: `'zone' is not a valid value for kind because exceeded maximum number of zone rulesets for phase ${customPhase}`,
      source: { pointer: '/kind' },
    },
  ])
})

test('a dry run checks everything and stores nothing', async () => {
  const { id } = await entryPoint()
  const before = (await api.send('GET', `${rulesets}/${id}`)).body.result
  const dry = await api.send('PUT', `${rulesets}/${id}?dry_run=true`, { rules: [] })
  assert.deepEqual([dry.status, dry.body.result, dry.body.success], [200, null, true])
  assert.equal((await api.send('PUT', `${rulesets}/${id}?dry_run=true`, { colour: 1 })).status, 400)
  assert.equal((await api.send('DELETE', `${rulesets}/${id}?dry_run=true`)).status, 204)
  const made = { name: 'b', kind: 'zone', phase: managedPhase }
  assert.equal((await api.send('POST', `${rulesets}?dry_run=true`, made)).status, 200)
  assert.equal((await api.send('GET', `${rulesets}/phases/${managedPhase}/entrypoint`)).status, 404)
  assert.deepEqual((await api.send('GET', `${rulesets}/${id}`)).body.result, before)
  assert.equal(
    (await api.send('PUT', `${rulesets}/${id}?dry_run=false`, { rules: [] })).body.result.version,
    '2',
  )
})

test('concurrent writes are all applied', async () => {
  const { id } = await entryPoint([])
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      api.send('POST', `${rulesets}/${id}/rules`, block({ description: `rule ${i}` })),
    ),
  )
  assert.deepEqual(new Set(answers.map(answer => answer.status)), new Set([200]))
  const { body } = await api.send('GET', `${rulesets}/${id}`)
  assert.equal(body.result.version, '13')
  assert.equal(body.result.rules.length, 12)
})

test('after a write of another process in between, a write is repeated', async t => {
  for (const [losses, status, version] of [
    [1, 200, 3],
    [apiLimits.writeTriesMax - 1, 200, apiLimits.writeTriesMax + 1],
    [apiLimits.writeTriesMax, 429, apiLimits.writeTriesMax + 1],
  ] as const) {
    await t.test(`${losses} lost`, async () => {
      let left: number = losses
      const path = `${rulesets}/${(await entryPoint()).id}`
      const other = await openTestApi({ store: racing(api.store, () => left-- > 0) })
      try {
        const url = `/client/v4${path}`
        const headers = { authorization: `Bearer ${token}` }
        const answer = await other.app.inject({
          method: 'PUT',
          url,
          headers,
          payload: { description: 'mine' },
        })
        assert.equal(answer.statusCode, status)
        if (status === 429) assert.equal(answer.headers['retry-after'], '1')
        const stored = (await api.send('GET', path)).body.result
        assert.equal(stored.version, String(version))
        assert.equal(stored.description, status === 200 ? 'mine' : 'theirs')
      } finally {
        await other.close()
        await api.send('DELETE', path)
      }
    })
  }
})

/** A store where another process writes just before each write, `loses` times. */
function racing(store: Store, loses: () => boolean): Store {
  const update = async (ruleset: Ruleset) => {
    if (loses()) await store.rulesets.update({ ...ruleset, description: 'theirs' })
    await store.rulesets.update(ruleset)
  }
  return { ...store, rulesets: { ...store.rulesets, update } }
}

test('the store reports a passed version as stale', async () => {
  const { id } = await entryPoint()
  const current = await api.store.rulesets.get({ kind: 'zone', id: api.zoneId }, id)
  await assert.rejects(
    api.store.rulesets.update(current!),
    (error: unknown) => error instanceof StoreError && error.code === 'stale',
  )
})
