import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Cloudflare from 'cloudflare'
import { newId } from '../../kit/ids.ts'
import { openTestApi, type TestApi, token } from '../testing/test-api.ts'

let api: TestApi
let client: Cloudflare
let zone: { readonly zone_id: string }
let zoneName: string
before(async () => {
  api = await openTestApi()
  zone = { zone_id: api.zoneId }
  zoneName = (await api.store.zones.get(api.zoneId))!.name
  const baseURL = `${await api.app.listen({ host: '127.0.0.1', port: 0 })}/client/v4`
  client = new Cloudflare({ baseURL, maxRetries: 0, apiEmail: null, apiKey: null, apiToken: token })
})
after(() => api.close())

test('the SDK creates, lists, reads, replaces and deletes user agent rules', async () => {
  const { uaRules } = client.firewall
  // The SDK types this member as an access rule's.
  const configuration: object = { target: 'ua', value: 'BadBot/1.0 (é)' }
  const created = await uaRules.create({ ...zone, mode: 'block', configuration, description: 'Scraper' })
  const { id } = created as { id: string }
  const want = { id, description: 'Scraper', mode: 'block', configuration, paused: false }
  assert.deepEqual(created, want)
  assert.deepEqual(await uaRules.get(id, zone), want)
  for (const filter of [{}, { description: 'scrap' }, { user_agent: 'badbot' }, { paused: false }])
    assert.deepEqual((await uaRules.list({ ...zone, ...filter })).result, [want], JSON.stringify(filter))
  assert.deepEqual((await uaRules.list({ ...zone, paused: true })).result, [])
  const second = await api.send('POST', `${api.zonePath}/firewall/ua_rules`, { mode: 'block', configuration })
  assert.deepEqual([second.status, second.body.errors[0].code], [400, 10009])
  const replaced = await uaRules.update(id, { ...zone, mode: 'js_challenge', configuration, paused: true })
  assert.deepEqual(replaced, { id, mode: 'js_challenge', configuration, paused: true })
  assert.deepEqual(await uaRules.delete(id, zone), { id })
  await assert.rejects(uaRules.get(id, zone), Cloudflare.NotFoundError)
})

test('the SDK creates, lists, reads, replaces and deletes lockdowns', async () => {
  const { lockdowns } = client.firewall
  const urls = [`${zoneName}/admin*`, `https://*.${zoneName}/wiki/*`]
  const configurations = [
    { target: 'ip', value: '2001:db8::1' },
    { target: 'ip_range', value: '192.0.2.0/24' },
  ] as const
  const created = await lockdowns.create({
    ...zone,
    urls,
    configurations: [...configurations],
    description: 'Staff only',
    priority: 5,
  })
  const { id, created_on, modified_on } = created
  const want = {
    id,
    description: 'Staff only',
    urls,
    configurations,
    paused: false,
    priority: 5,
    created_on,
    modified_on,
  }
  assert.deepEqual(created, want)
  assert.deepEqual(await lockdowns.get(id, zone), want)
  for (const filter of [{}, { description_search: 'staff' }, { uri_search: '/WIKI' }, { ip: '2001:db8::1' }])
    assert.deepEqual((await lockdowns.list({ ...zone, ...filter })).result, [want], JSON.stringify(filter))
  assert.deepEqual((await lockdowns.list({ ...zone, ip_range_search: '198.51' })).result, [])
  const replaced = await lockdowns.update(id, {
    ...zone,
    urls: [zoneName],
    configurations: [configurations[0]],
  })
  assert.deepEqual(
    [replaced.urls, replaced.description, replaced.created_on],
    [[zoneName], undefined, created_on],
  )
  assert.deepEqual(await lockdowns.delete(id, zone), { id })
  await assert.rejects(lockdowns.get(id, zone), Cloudflare.NotFoundError)
})

test('a lockdown with a URL of another site or a wrong address is refused, with its pointer', async () => {
  const path = `${api.zonePath}/firewall/lockdowns`
  const right = { urls: [`${zoneName}/*`], configurations: [{ target: 'ip', value: '192.0.2.1' }] }
  const rows: [object, string][] = [
    [{ urls: [`${zoneName}/`, 'other.example/*'] }, '/urls/1'],
    [{ urls: [`evil-${zoneName}/*`] }, '/urls/0'],
    [{ urls: [`${zoneName}/?a=*`] }, '/urls/0'],
    [{ urls: [`${zoneName}/${'*a'.repeat(65)}`] }, '/urls/0'],
    [{ configurations: [{ target: 'ip', value: '192.0.2.0/24' }] }, '/configurations/0/value'],
    [{ configurations: [{ target: 'ip_range', value: '192.0.2.1' }] }, '/configurations/0/value'],
  ]
  for (const [wrong, pointer] of rows) {
    const { status, body } = await api.send('POST', path, { ...right, ...wrong })
    assert.deepEqual([status, body.errors[0].source.pointer], [400, pointer])
  }
  assert.equal((await api.send('PUT', `${path}/${newId()}`, right)).status, 404)
})
