import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../testing/test-api.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

const body = (changes: object = {}) => ({
  name: 'new.example',
  account: { id: api.accountId },
  origin: { url: 'http://127.0.0.1:9001' },
  ...changes,
})

test('a zone is created, read, changed and deleted', async () => {
  const made = await api.send('POST', '/zones', body({ name: 'Made.Example', type: 'partial' }))
  assert.equal(made.status, 200)
  const { id } = made.body.result
  assert.match(id, /^[0-9a-f]{32}$/)
  assert.equal(made.body.result.name, 'made.example')
  assert.deepEqual([made.body.result.status, made.body.result.type], ['active', 'partial'])
  assert.deepEqual(made.body.result.origin, { url: 'http://127.0.0.1:9001' })
  assert.deepEqual(made.body.result.account, { id: api.accountId, name: 'Team' })
  assert.equal(made.body.result.plan.legacy_id, 'enterprise')

  const changed = await api.send('PATCH', `/zones/${id}`, {
    paused: true,
    vanity_name_servers: [],
    origin: { url: 'https://origin.example/' },
  })
  assert.deepEqual([changed.body.result.paused, changed.body.result.type], [true, 'partial'])
  assert.equal(changed.body.result.origin.url, 'https://origin.example')
  assert.deepEqual((await api.send('GET', `/zones/${id}`)).body.result, changed.body.result)

  assert.deepEqual((await api.send('DELETE', `/zones/${id}`)).body.result, { id })
  assert.equal((await api.send('GET', `/zones/${id}`)).status, 404)
  assert.equal((await api.send('DELETE', `/zones/${id}`)).status, 404)
})

test('a zone of which only the name is said has no origin until an edit supplies one', async () => {
  const made = await api.send(
    'POST',
    '/zones',
    body({ name: 'bare.example', origin: undefined, paused: true }),
  )
  assert.equal(made.status, 200)
  const { id, origin } = made.body.result
  assert.deepEqual([origin, made.body.result.paused], [{ url: null }, true])
  const record = { type: 'A', name: 'www', content: '192.0.2.1', proxied: true, ttl: 1 }
  assert.equal((await api.send('POST', `/zones/${id}/dns_records`, record)).status, 200)
  const edited = await api.send('PATCH', `/zones/${id}`, { origin: { url: 'http://192.0.2.1' } })
  assert.deepEqual(edited.body.result.origin, { url: 'http://192.0.2.1' })
  const paused = await api.send('PATCH', `/zones/${id}`, { paused: true })
  assert.deepEqual(paused.body.result.origin, { url: 'http://192.0.2.1' })
  const without = await api.send('PATCH', `/zones/${id}`, { origin })
  assert.deepEqual(without.body.result.origin, { url: null })
  await api.send('DELETE', `/zones/${id}`)
})

test('a zone is made as clients of version 0 and provider 4 of Terraform ask for it', async () => {
  const organization = { id: api.accountId, name: '', created_on: '0001-01-01T00:00:00Z' }
  const asked = { name: 'older.example', jump_start: false, type: 'full', organization }
  const { status, body } = await api.send('POST', '/zones', asked)
  assert.deepEqual([status, body.result.account.id], [200, api.accountId])
  await api.send('DELETE', `/zones/${body.result.id}`)
  const stranger = await api.send('POST', '/zones', { ...asked, organization: { id: '0'.repeat(32) } })
  assert.deepEqual([stranger.status, stranger.body.errors[0].source.pointer], [403, '/organization/id'])
})

test('invalid zones are refused and nothing is stored', async t => {
  const rows: [name: string, changes: object, status: number, code: number, pointer: string][] = [
    ['taken name', { name: 'SHOP.example' }, 400, 1061, '/name'],
    ['empty name', { name: '' }, 400, 10423, '/name'],
    ['not a name', { name: 'a b' }, 400, 10423, '/name'],
    ['empty label', { name: 'a..b' }, 400, 10423, '/name'],
    ['long label', { name: `${'a'.repeat(64)}.b` }, 400, 10423, '/name'],
    ['leading dash', { name: '-a.b' }, 400, 10423, '/name'],
    ['no account', { account: undefined }, 400, 10421, '/account'],
    ['unknown account', { account: { id: '0'.repeat(32) } }, 403, 9109, '/account/id'],
    ['origin with a path', { origin: { url: 'http://a/b' } }, 400, 10423, '/origin/url'],
    ['origin with a query', { origin: { url: 'http://a?b' } }, 400, 10423, '/origin/url'],
    ['origin with a password', { origin: { url: 'http://u:p@a' } }, 400, 10423, '/origin/url'],
    ['origin of another scheme', { origin: { url: 'ftp://a' } }, 400, 10423, '/origin/url'],
    ['the edge as its own origin', { origin: { url: 'http://127.0.0.1:8080' } }, 400, 10423, '/origin/url'],
    ['the edge by name', { origin: { url: 'http://localhost:8080' } }, 400, 10423, '/origin/url'],
    ['origin that is no URL', { origin: { url: 'localhost' } }, 400, 10423, '/origin/url'],
    ['another type', { type: 'internal' }, 400, 10423, '/type'],
    ['name servers', { vanity_name_servers: ['ns1.made.example'] }, 400, 10423, '/vanity_name_servers'],
    ['unknown field', { vanity: true }, 400, 10420, '/vanity'],
  ]
  const before = await api.store.zones.list()
  for (const [name, changes, status, code, pointer] of rows) {
    await t.test(name, async () => {
      const answer = await api.send('POST', '/zones', body(changes))
      assert.equal(answer.status, status)
      assert.equal(answer.body.errors[0].code, code)
      assert.equal(answer.body.errors[0].source.pointer, pointer)
    })
  }
  assert.deepEqual(await api.store.zones.list(), before)
})

test('refused changes leave the zone as it was', async () => {
  const before = await api.store.zones.get(api.zoneId)
  for (const change of [
    { paused: 'yes' },
    { name: 'other.example' },
    { origin: { url: 'nowhere' } },
    [],
    1,
  ]) {
    assert.equal((await api.send('PATCH', api.zonePath, change)).status, 400)
  }
  assert.deepEqual(await api.store.zones.get(api.zoneId), before)
})

test('labels of maximum length and international names are accepted', async () => {
  for (const [name, stored] of [
    [`${'a'.repeat(63)}.b`, `${'a'.repeat(63)}.b`],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['localhost', 'localhost'],
  ] as const) {
    const { body: answer } = await api.send('POST', '/zones', body({ name }))
    assert.equal(answer.result.name, stored)
    await api.send('DELETE', `/zones/${answer.result.id}`)
  }
})

test('lists are filtered, ordered and paged', async t => {
  const made: string[] = []
  for (const name of ['b.example', 'a.example', 'a.test']) {
    made.push((await api.send('POST', '/zones', body({ name }))).body.result.id)
  }
  const rows: [query: string, names: string[]][] = [
    ['', ['a.example', 'a.test', 'b.example', 'shop.example']],
    ['order=name&direction=desc', ['shop.example', 'b.example', 'a.test', 'a.example']],
    ['order=status', ['a.example', 'a.test', 'b.example', 'shop.example']],
    ['name=A.Example', ['a.example']],
    ['name=contains:a.', ['a.example', 'a.test']],
    ['name=starts_with:b', ['b.example']],
    ['name=ends_with:.test', ['a.test']],
    ['name=none.example', []],
    ['status=active&name=a.test', ['a.test']],
    ['status=pending', []],
    [`account.id=${api.accountId}&name=a.test`, ['a.test']],
    [`account.id=${'0'.repeat(32)}`, []],
    ['match=any&status=pending&name=a.test', ['a.test']],
    ['per_page=3', ['a.example', 'a.test', 'b.example']],
    ['per_page=3&page=2', ['shop.example']],
    ['per_page=3&page=3', []],
    ['page=1000000', []],
    ['something=unknown&name=a.test', ['a.test']],
  ]
  for (const [query, names] of rows) {
    await t.test(query, async () => {
      const { status, body: answer } = await api.send('GET', `/zones?${query}`)
      assert.equal(status, 200)
      assert.deepEqual(
        answer.result.map((zone: { name: string }) => zone.name),
        names,
      )
      assert.equal(answer.result_info.count, names.length)
    })
  }
  const { body: paged } = await api.send('GET', '/zones?per_page=3&page=2')
  assert.deepEqual(paged.result_info, { page: 2, per_page: 3, count: 1, total_count: 4, total_pages: 2 })
  for (const id of made) await api.send('DELETE', `/zones/${id}`)
})

test('unknown query values are refused without a pointer', async () => {
  for (const query of [
    'page=0',
    'page=x',
    'per_page=51',
    'per_page=0',
    'order=age',
    'direction=up',
    'status=gone',
  ]) {
    const { status, body: answer } = await api.send('GET', `/zones?${query}`)
    assert.equal(status, 400, query)
    assert.equal(answer.errors[0].source, undefined)
  }
  assert.equal((await api.send('GET', '/zones?per_page=50')).status, 200)
})

test('accounts are listed and read', async () => {
  const { body: list } = await api.send('GET', '/accounts?name=team')
  assert.equal(list.result.length, 1)
  assert.equal(list.result_info.total_count, 1)
  const { body: one } = await api.send('GET', `/accounts/${api.accountId}`)
  assert.deepEqual(one.result, list.result[0])
  assert.deepEqual((await api.send('GET', '/accounts?page=2')).body.result, [])
  assert.deepEqual((await api.send('GET', '/accounts?name=other')).body.result, [])
  assert.equal((await api.send('GET', `/accounts/${'0'.repeat(32)}`)).status, 404)
})
