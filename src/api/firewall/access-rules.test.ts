import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Cloudflare from 'cloudflare'
import { newId } from '../../kit/ids.ts'
import { openTestApi, type TestApi, token } from '../testing/test-api.ts'

let api: TestApi
let client: Cloudflare
before(async () => {
  api = await openTestApi()
  const baseURL = `${await api.app.listen({ host: '127.0.0.1', port: 0 })}/client/v4`
  client = new Cloudflare({ baseURL, maxRetries: 0, apiEmail: null, apiKey: null, apiToken: token })
})
after(() => api.close())

test('the SDK creates, lists, reads, changes and deletes rules of a zone and of an account', async () => {
  for (const owner of [{ zone_id: api.zoneId }, { account_id: api.accountId }]) {
    const { accessRules } = client.firewall
    const created = await accessRules.create({
      ...owner,
      mode: 'block',
      configuration: { target: 'ip_range', value: '198.51.100.0/24' },
      notes: 'scrapers',
    })
    const type = 'zone_id' in owner ? 'zone' : 'organization'
    assert.deepEqual(
      { ...created, created_on: 0, modified_on: 0, scope: created.scope?.type as string },
      {
        id: created.id,
        notes: 'scrapers',
        allowed_modes: ['block', 'challenge', 'whitelist', 'js_challenge', 'managed_challenge'],
        mode: 'block',
        configuration: { target: 'ip_range', value: '198.51.100.0/24' },
        created_on: 0,
        modified_on: 0,
        scope: type,
      },
    )
    assert.deepEqual(await accessRules.get(created.id, owner), created)
    const edited = await accessRules.edit(created.id, {
      ...owner,
      configuration: created.configuration,
      mode: 'managed_challenge',
    })
    assert.deepEqual([edited.mode, edited.notes], ['managed_challenge', 'scrapers'])
    const country = await accessRules.create({
      ...owner,
      mode: 'whitelist',
      configuration: { target: 'country', value: 'de' },
    })
    const listed: string[] = []
    for await (const rule of accessRules.list({ ...owner, per_page: 1 })) listed.push(rule.id)
    assert.deepEqual(listed.toSorted(), [created.id, country.id].toSorted())
    for (const filter of [
      { configuration: { value: '198.51.100.7/24' } },
      { configuration: { target: 'ip_range' } },
      { mode: 'managed_challenge' },
      { notes: 'SCRAPE' },
      { match: 'any', mode: 'block', notes: 'scrape' },
    ] as const) {
      const { result } = await accessRules.list({ ...owner, ...filter } as typeof owner)
      assert.deepEqual(
        result.map(rule => rule.id),
        [created.id],
        JSON.stringify(filter),
      )
    }
    for (const id of [created.id, country.id]) assert.deepEqual(await accessRules.delete(id, owner), { id })
    await assert.rejects(accessRules.get(created.id, owner), Cloudflare.NotFoundError)
  }
})

test('a value that the target cannot have, a second rule for it, and another target are refused', async () => {
  const path = `${api.zonePath}/firewall/access_rules/rules`
  const create = (target: string, value: string) =>
    api.send('POST', path, { mode: 'block', configuration: { target, value } })
  for (const [target, value] of [
    ['ip', '192.0.2.300'],
    ['ip', '192.0.2.0/24'],
    ['ip6', '192.0.2.1'],
    ['ip6', '::ffff:192.0.2.1'],
    ['ip_range', '192.0.2.1'],
    ['ip_range', '192.0.2.0/25'],
    ['ip_range', '2001:db8::/56'],
    ['asn', 'AS0'],
    ['asn', 'AS4294967296'],
    ['country', 'DEU'],
    ['country', 'T1'],
  ] as const) {
    const { status, body } = await create(target, value)
    assert.deepEqual([status, body.errors[0].source.pointer], [400, '/configuration/value'], value)
  }
  const made: string[] = []
  const long = '2001:0db8:0000:0000:0000:0000:0000:000'
  for (const [target, value, same, answered = value] of [
    ['ip', '192.0.2.1', '192.0.2.1'],
    ['ip', '::ffff:192.0.2.3', '192.0.2.3'],
    ['ip6', '2001:DB8:0::1', '2001:db8::1', `${long}1`],
    ['ip', '2001:db8::2', `${long}2`, `${long}2`],
    ['ip_range', '2001:db8::/32', '2001:0db8:1::/32'],
    ['asn', '64496', 'as64496'],
    ['country', 'de', 'DE'],
  ] as const) {
    const { body } = await create(target, value)
    const { id, configuration } = body.result
    assert.equal(configuration.value, answered)
    assert.equal((await api.send('GET', `${path}/${id}`)).body.result.configuration.value, answered)
    made.push(id)
    const second = await create(target, same)
    assert.deepEqual([second.status, second.body.errors[0].code], [400, 10009], same)
  }
  const other = { configuration: { target: 'ip', value: '192.0.2.2' } }
  assert.equal((await api.send('PATCH', `${path}/${made[0]}`, other)).status, 400)
  assert.equal((await api.send('PATCH', `${path}/${newId()}`, { mode: 'block' })).status, 404)
  for (const [query, count] of [
    ['configuration.value=nonsense', 0],
    ['configuration.value=nonsense&match=any', 0],
    ['configuration.value=nonsense&match=any&configuration.target=asn', 1],
  ] as const) {
    const { status, body } = await api.send('GET', `${path}?${query}`)
    assert.deepEqual([status, body.result_info.total_count], [200, count], query)
  }
})

test('AS numbers that the installation cannot recognise are kept as it says', async () => {
  const rule = { mode: 'block', configuration: { target: 'asn', value: 'AS64496' } }
  for (const notEnforced of ['refuse', 'keep'] as const) {
    const blind = await openTestApi({ notEnforced, hasGeoDatabases: false })
    const { status, body } = await blind.send('POST', `${blind.zonePath}/firewall/access_rules/rules`, rule)
    if (notEnforced === 'refuse') {
      assert.equal(status, 400)
      assert.match(body.errors[0].message, /no database in SLUICE_GEO_DATABASES/)
    } else {
      assert.equal(status, 200)
      assert.match(body.messages[0].message, /^not enforced here: 'AS64496'/)
      const [entry] = await blind.store.audit.list(blind.accountId, { offset: 0, limit: 1 })
      assert.deepEqual((entry!.after as { not_enforced?: unknown }).not_enforced, [body.messages[0].message])
    }
    await blind.close()
  }
})
