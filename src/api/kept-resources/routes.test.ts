import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Cloudflare from 'cloudflare'
import { type Method, openTestApi, type TestApi, token } from '../testing/test-api.ts'

let api: TestApi
/** The same database, with the default of the setting. */
let refusing: TestApi
before(async () => {
  api = await openTestApi({ notEnforced: 'keep' })
  refusing = await openTestApi({}, async () => ({ ...api.store, close: async () => undefined }))
})
after(async () => {
  await refusing.close()
  await api.close()
})

const forward = { id: 'forwarding_url', value: { url: 'https://b.example/$1', status_code: 301 } }
const pageRule = {
  targets: [{ target: 'url', constraint: { operator: 'matches', value: '*a.example/*' } }],
  actions: [forward, { id: 'cache_level', value: 'bypass' }],
}
const rows = () =>
  [
    [
      `${api.zonePath}/pagerules`,
      pageRule,
      { actions: [{ id: 'ssl', value: 'full' }] },
      /action forwarding_url/,
    ],
    [
      `${api.zonePath}/healthchecks`,
      { name: 'shop', address: '192.0.2.1' },
      { suspended: true },
      /health check/,
    ],
  ] as const

test('collections: created, listed, replaced, changed and deleted, each time with the message', async () => {
  for (const [path, body, change, reason] of rows()) {
    const made = await api.send('POST', path, body)
    assert.equal(made.status, 200, JSON.stringify(made.body))
    assert.match(made.body.messages[0].message, /^not enforced here: /)
    assert.match(made.body.messages[0].message, reason)
    const one = `${path}/${made.body.result.id}`
    const read = (await api.send('GET', one)).body.result
    for (const [name, value] of Object.entries(body)) assert.deepEqual(read[name], value)
    assert.deepEqual((await api.send('GET', path)).body.result, [read])
    const replaced = await api.send('PUT', one, body)
    assert.equal(replaced.body.messages.length, made.body.messages.length)
    if (change !== undefined) {
      const changed = await api.send('PATCH', one, change)
      assert.deepEqual({ ...read, ...change }['actions'], changed.body.result.actions)
    }
    await refusedBy(path, body, reason)
    assert.deepEqual((await refusing.send('GET', one)).status, 200)
    assert.deepEqual((await refusing.send('DELETE', one)).body.result, { id: read.id })
    assert.equal((await api.send('GET', one)).status, 404)
  }
})

test('lists have pages, so that the SDK finds the end of one', async () => {
  const baseURL = `${await api.app.listen({ host: '127.0.0.1', port: 0 })}/client/v4`
  const client = new Cloudflare({ baseURL, maxRetries: 0, apiEmail: null, apiKey: null, apiToken: token })
  const names = ['a', 'b', 'c']
  for (const name of names)
    await api.send('POST', `${api.zonePath}/healthchecks`, { name, address: '192.0.2.1' })
  const found: string[] = []
  for await (const { name } of client.healthchecks.list({ zone_id: api.zoneId, per_page: 2 })) {
    found.push(name!)
    assert.ok(found.length <= names.length, 'the list repeats itself')
  }
  assert.deepEqual(found, names)
  await api.send('POST', `${api.zonePath}/pagerules`, pageRule)
  const rules = `${api.zonePath}/pagerules?per_page=1`
  const first = (await api.send('GET', `${rules}&page=1`)).body
  assert.deepEqual([first.result.length, first.result_info.total_count], [1, 1])
  assert.deepEqual((await api.send('GET', `${rules}&page=2`)).body.result, [])
})

test('certificate packs are ordered, changed and deleted', async () => {
  const packs = `${api.zonePath}/ssl/certificate_packs`
  const pack = {
    certificate_authority: 'lets_encrypt',
    hosts: ['a.example', '*.a.example'],
    type: 'advanced',
    validation_method: 'txt',
    validity_days: 90,
  }
  await refusedBy(`${packs}/order`, pack, /^a certificate pack has no meaning .*ACME/)
  const { result, messages } = (await api.send('POST', `${packs}/order`, pack)).body
  assert.match(messages[0].message, /^not enforced here: a certificate pack .*ACME/)
  const { id, status, hosts } = result
  assert.deepEqual([status, hosts], ['initializing', pack.hosts])
  assert.deepEqual((await api.send('GET', packs)).body.result, [result])
  const one = `${packs}/${id}`
  const changed = await api.send('PATCH', one, { cloudflare_branding: true })
  assert.deepEqual(changed.body.result, { ...result, cloudflare_branding: true })
  assert.equal((await api.send('PUT', one, pack)).status, 405)
  const { items } = (await api.send('GET', `${api.zonePath}/coverage`)).body.result
  assert.ok(items.some(({ name }: { name: string }) => name === 'a.example, *.a.example'))
  assert.deepEqual((await api.send('DELETE', one)).body.result, { id })
})

test('TLS settings of host names are found by both names', async () => {
  const settings = `${api.zonePath}/hostnames/settings`
  const one = `${settings}/min_tls_version/a.example`
  await refusedBy(one, { value: '1.3' }, /^a TLS setting of a host name has no meaning/, 'PUT')
  assert.equal((await api.send('GET', one)).status, 404)
  const first = await api.send('PUT', one, { value: '1.2' })
  assert.match(first.body.messages[0].message, /^not enforced here: .*a whole zone/)
  const { result } = (await api.send('PUT', one, { value: '1.3' })).body
  assert.deepEqual([result.hostname, result.value], ['a.example', '1.3'])
  await api.send('PUT', `${settings}/ciphers/a.example`, { value: ['AES128-GCM-SHA256'] })
  assert.deepEqual((await api.send('GET', `${settings}/min_tls_version`)).body.result, [result])
  assert.deepEqual((await api.send('DELETE', one)).body.result, result)
  assert.equal((await api.send('GET', one)).status, 404)
  assert.equal((await api.send('PUT', `${settings}/tls_1_3/a.example`, { value: 'on' })).status, 404)
})

test('the refusal of a page rule names the rule that does the same', async () => {
  const { body } = await refusing.send('POST', `${api.zonePath}/pagerules`, pageRule)
  assert.deepEqual(
    body.errors.map(({ code, source }: { code: number; source: { pointer: string } }) => [
      code,
      source.pointer,
    ]),
    [
      [10350, '/actions/0/id'],
      [10350, '/actions/1/id'],
    ],
  )
  assert.match(
    body.errors[0].message,
    /action redirect in http_request_dynamic_redirect does this; SLUICE_NOT_ENFORCED=keep stores it without effect$/,
  )
})

test('singletons exist from the start, and may ask for what happens anyway', async () => {
  const bots = `${api.zonePath}/bot_management`
  const before = (await api.send('GET', bots)).body.result
  assert.equal(before.enable_js, false)
  const off = await refusing.send('PUT', bots, { fight_mode: false, enable_js: false })
  assert.deepEqual([off.status, off.body.messages], [200, []])
  await refusedBy(
    bots,
    { fight_mode: true },
    /^fight_mode has no meaning .*; SLUICE_NOT_ENFORCED=keep stores it/,
    'PUT',
  )
  const on = await api.send('PUT', bots, { fight_mode: true })
  assert.deepEqual(on.body.result, { ...before, fight_mode: true })
  assert.equal(on.body.messages.length, 1)
  assert.doesNotMatch(on.body.messages[0].message, /SLUICE_NOT_ENFORCED/)
  const universal = `${api.zonePath}/ssl/universal/settings`
  assert.deepEqual((await refusing.send('GET', universal)).body.result, { enabled: false })
  await refusedBy(universal, { enabled: true }, /^Universal SSL has no meaning .*ACME/, 'PATCH')
  assert.deepEqual((await api.send('PATCH', universal, { enabled: true })).body.result, { enabled: true })
  const argo = `${api.zonePath}/argo/smart_routing`
  assert.equal((await api.send('GET', argo)).body.result.modified_on, null)
  await refusedBy(argo, { value: 'on' }, /Argo Smart Routing has no meaning/, 'PATCH')
  assert.equal((await api.send('PATCH', argo, { value: 'on' })).body.result.value, 'on')
  const dnssec = `${api.zonePath}/dnssec`
  await refusedBy(dnssec, { status: 'active' }, /^DNSSEC has no meaning .*name server/, 'PATCH')
  const signed = await api.send('PATCH', dnssec, { status: 'active' })
  assert.deepEqual([signed.body.result.status, signed.body.messages.length], ['active', 1])
  for (const _ of ['stored', 'gone']) assert.equal((await api.send('DELETE', dnssec)).body.result, '')
  const { status, ds, modified_on: modified } = (await api.send('GET', dnssec)).body.result
  assert.deepEqual([status, ds, modified], ['disabled', null, null])
})

test('wrong and long documents are refused', async () => {
  for (const [path, body, pointer] of [
    [`${api.zonePath}/pagerules`, { ...pageRule, actions: [{ id: 'nonsense' }] }, '/actions/0/id'],
    [
      `${api.zonePath}/pagerules`,
      { ...pageRule, actions: [{ id: 'cache_level', value: 'a'.repeat(65_536) }] },
      undefined,
    ],
    [`${api.zonePath}/healthchecks`, { name: 'no space', address: 'a' }, '/name'],
    [
      `${api.zonePath}/healthchecks`,
      { name: 'a', address: 'a', http_config: { port: 0 } },
      '/http_config/port',
    ],
  ] as const) {
    const { status, body: answer } = await api.send('POST', path, body)
    assert.equal(status, 400)
    assert.equal(answer.errors.length, 1, JSON.stringify(answer))
    assert.equal(answer.errors[0].source?.pointer, pointer, JSON.stringify(answer))
  }
})

async function refusedBy(path: string, body: object, reason: RegExp, method: Method = 'POST'): Promise<void> {
  const { status, body: answer } = await refusing.send(method, path, body)
  assert.equal(status, 400)
  assert.match(answer.errors[0].message, reason)
}
