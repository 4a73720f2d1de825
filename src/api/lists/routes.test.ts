import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { systemClock } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { Store } from '../../store/index.ts'
import { listLimits } from '../../store/limits.ts'
import { type Method, openTestApi, type TestApi } from '../testing/test-api.ts'
import { listRequestLimits } from './limits.ts'
import { ListOperations } from './operations.ts'

let api: TestApi
let lists: string
before(async () => {
  api = await openTestApi()
  lists = `/accounts/${api.accountId}/rules/lists`
})
after(() => api.close())

type Kind = 'ip' | 'asn' | 'hostname' | 'redirect'
let made = 0

async function aList(kind: Kind = 'ip', name = `list_${++made}`) {
  const { status, body } = await api.send('POST', lists, { name, kind, description: 'd' })
  assert.equal(status, 200, JSON.stringify(body))
  return body.result
}

/** Sends a change of items and waits for its end. */
async function change(method: Method, id: string, body: unknown, target: TestApi = api) {
  const answer = await target.send(method, `${lists}/${id}/items`, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return ended(answer.body.result.operation_id, target)
}

async function ended(operation: string, target: TestApi = api) {
  for (;;) {
    const { body } = await target.send('GET', `${lists}/bulk_operations/${operation}`)
    if (body.result.status !== 'pending' && body.result.status !== 'running') return body.result
    await sleep(5)
  }
}

async function items(id: string, query = '') {
  const { status, body } = await api.send('GET', `${lists}/${id}/items${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.result
}

test('a list is created, read, changed and deleted', async () => {
  const list = await aList('ip', 'office_network')
  assert.match(list.id, /^[0-9a-f]{32}$/)
  const { id, created_on, modified_on, ...rest } = list
  assert.deepEqual(rest, {
    name: 'office_network',
    description: 'd',
    kind: 'ip',
    num_items: 0,
    num_referencing_filters: 0,
  })
  assert.equal(created_on, modified_on)
  assert.deepEqual((await api.send('GET', `${lists}/${id}`)).body.result, list)
  const put = await api.send('PUT', `${lists}/${id}`, {
    description: 'new',
    name: 'office_network',
    kind: 'ip',
  })
  assert.equal(put.body.result.description, 'new')
  assert.deepEqual((await api.send('GET', lists)).body.result, [put.body.result])
  assert.deepEqual((await api.send('DELETE', `${lists}/${id}`)).body.result, { id })
  for (const method of ['GET', 'DELETE'] as const) {
    assert.equal((await api.send(method, `${lists}/${id}`)).status, 404)
  }
})

test('invalid lists are refused', async t => {
  const { id, name } = await aList()
  const rows: [name: string, Method, path: string, body: object, code: number][] = [
    ['no name', 'POST', '', { kind: 'ip' }, 10421],
    ['upper case', 'POST', '', { kind: 'ip', name: 'Office' }, 10423],
    ['a dot, as managed lists have', 'POST', '', { kind: 'ip', name: 'cf.office' }, 10423],
    ['51 characters', 'POST', '', { kind: 'ip', name: 'n'.repeat(51) }, 10423],
    ['unknown kind', 'POST', '', { kind: 'country', name: 'n' }, 10423],
    ['long description', 'POST', '', { kind: 'ip', name: 'n', description: 'd'.repeat(501) }, 10423],
    ['unknown field', 'POST', '', { kind: 'ip', name: 'n', colour: 1 }, 10420],
    ['a name that is taken', 'POST', '', { kind: 'asn', name }, 10313],
    ['another name', 'PUT', `/${id}`, { name: 'other' }, 10423],
    ['another kind', 'PUT', `/${id}`, { kind: 'asn' }, 10423],
  ]
  for (const [row, method, path, body, code] of rows) {
    await t.test(row, async () => {
      const answer = await api.send(method, lists + path, body)
      assert.equal(answer.status, 400)
      assert.equal(answer.body.errors[0].code, code, JSON.stringify(answer.body.errors))
    })
  }
  const longest = await aList('ip', 'n'.repeat(50))
  await api.send('DELETE', `${lists}/${longest.id}`)
})

test('malformed ids have no route, and unknown ids are not found', async () => {
  for (const path of ['/abc', '/abc/items', '/bulk_operations/abc']) {
    assert.equal((await api.send('GET', lists + path)).body.errors[0].code, 7003, path)
  }
  const { id } = await aList()
  const unknown = newId()
  for (const [path, code] of [
    [`/${unknown}`, 10310],
    [`/${unknown}/items`, 10310],
    [`/${id}/items/${unknown}`, 10311],
    [`/bulk_operations/${unknown}`, 10312],
  ] as const) {
    const answer = await api.send('GET', lists + path)
    assert.deepEqual([answer.status, answer.body.errors[0].code], [404, code], path)
  }
})

test('items are added, replaced and deleted, and the operation says when', async () => {
  const { id } = await aList()
  const done = await change('POST', id, [{ ip: '192.0.2.1', comment: 'one' }, { ip: '198.51.100.0/24' }])
  assert.equal(done.status, 'completed')
  assert.match(done.completed, /Z$/)
  assert.equal('error' in done, false)
  const [first, second] = await items(id)
  assert.deepEqual(Object.keys(first), ['id', 'ip', 'comment', 'created_on', 'modified_on'])
  assert.deepEqual((await api.send('GET', `${lists}/${id}/items/${first.id}`)).body.result, first)

  await change('POST', id, [{ ip: '192.0.2.1', comment: 'again' }, { ip: '192.0.2.9' }])
  const [changed, , third] = await items(id)
  assert.deepEqual([changed.id, changed.comment], [first.id, 'again'])
  await change('DELETE', id, { items: [{ id: second.id }] })
  assert.deepEqual(
    (await items(id)).map((item: { id: string }) => item.id),
    [first.id, third.id],
  )
  await change('PUT', id, [{ ip: '203.0.113.7' }, { ip: '192.0.2.9' }])
  const replaced = await items(id)
  assert.deepEqual(
    replaced.map(({ ip }: { ip: string }) => ip),
    ['192.0.2.9', '203.0.113.7'],
  )
  assert.equal(replaced[0].id, third.id)
  assert.equal((await api.send('GET', `${lists}/${id}`)).body.result.num_items, 2)
  await change('PUT', id, [])
  assert.deepEqual(await items(id), [])
})

test('addresses and networks are stored in canonical form', async t => {
  const rows: [ip: string, want: string | undefined][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1/32', '192.0.2.1'],
    ['192.0.2.77/24', '192.0.2.0/24'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['10.0.0.0/7', undefined],
    ['192.0.2.1/33', undefined],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['2001:db8:0:1:2:3:4:5/64', '2001:db8:0:1::/64'],
    ['2001:db8::/65', undefined],
    ['4000::/4', '4000::/4'],
    ['4000::/3', undefined],
    ['2001:0db8::0001', '2001:db8::1'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['example.com', undefined],
    ['', undefined],
  ]
  for (const [ip, want] of rows) {
    await t.test(ip, async () => {
      const { id } = await aList()
      if (want === undefined) {
        const refused = await api.send('POST', `${lists}/${id}/items`, [{ ip: '192.0.2.200' }, { ip }])
        assert.equal(refused.status, 400)
        assert.equal(refused.body.errors[0].code, 10028)
        assert.equal(refused.body.errors[0].source.pointer, '/1/ip')
      } else {
        await change('POST', id, [{ ip }])
        assert.equal((await items(id))[0].ip, want)
      }
      await api.send('DELETE', `${lists}/${id}`)
    })
  }
})

test('the other kinds of items are stored as sent, or refused', async t => {
  const redirect = { source_url: 'example.com/a', target_url: 'https://example.com/b?x=1#y' }
  const rows: [kind: Kind, item: object, pointer?: string][] = [
    ['asn', { asn: 0 }],
    ['asn', { asn: 4294967295, comment: '' }],
    ['asn', { asn: 4294967296 }, '/0/asn'],
    ['asn', { asn: -1 }, '/0/asn'],
    ['asn', { asn: '64496' }, '/0/asn'],
    ['asn', { asn: 1.5 }, '/0/asn'],
    ['hostname', { hostname: { url_hostname: '*.Example.com', exclude_exact_hostname: false } }],
    ['hostname', { hostname: { url_hostname: 'a-b.example' } }],
    ['hostname', { hostname: { url_hostname: 'localhost' } }, '/0/hostname/url_hostname'],
    ['hostname', { hostname: { url_hostname: 'a.*.example' } }, '/0/hostname/url_hostname'],
    ['hostname', { hostname: { url_hostname: 'https://a.example' } }, '/0/hostname/url_hostname'],
    ['hostname', { hostname: { url_hostname: 'a.example', colour: 1 } }, '/0/hostname/colour'],
    ['hostname', { hostname: 'a.example' }, '/0/hostname'],
    ['redirect', { redirect: { ...redirect, status_code: 301, include_subdomains: true } }],
    ['redirect', { redirect: { ...redirect, source_url: 'https://example.com' } }],
    ['redirect', { redirect: { ...redirect, source_url: 'example.com/?q' } }, '/0/redirect/source_url'],
    ['redirect', { redirect: { ...redirect, source_url: `example.com${'/a'.repeat(17)}` } }],
    [
      'redirect',
      { redirect: { ...redirect, source_url: `example.com${'/a'.repeat(17)}`, subpath_matching: true } },
      '/0/redirect/source_url',
    ],
    [
      'redirect',
      { redirect: { ...redirect, source_url: 'https://example.com:443/' } },
      '/0/redirect/source_url',
    ],
    ['redirect', { redirect: { ...redirect, source_url: 'me@example.com/' } }, '/0/redirect/source_url'],
    ['redirect', { redirect: { ...redirect, source_url: 'ftp://example.com/' } }, '/0/redirect/source_url'],
    ['redirect', { redirect: { ...redirect, source_url: 'https:///a' } }, '/0/redirect/source_url'],
    ['redirect', { redirect: { ...redirect, target_url: 'magnet:?xt=urn:btih:2bd9' } }],
    ['redirect', { redirect: { ...redirect, target_url: 'JavaScript:alert(1)' } }, '/0/redirect/target_url'],
    ['redirect', { redirect: { ...redirect, preserve_query_string: true } }, '/0/redirect/target_url'],
    ['redirect', { redirect: { ...redirect, target_url: '/b' } }, '/0/redirect/target_url'],
    ['redirect', { redirect: { ...redirect, status_code: 303 } }, '/0/redirect/status_code'],
    ['redirect', { redirect: { ...redirect, subpath_matching: 'yes' } }, '/0/redirect/subpath_matching'],
    ['ip', { asn: 64496 }, '/0/asn'],
    ['ip', { ip: '192.0.2.1', colour: 1 }, '/0/colour'],
    ['ip', { ip: '192.0.2.1', comment: 'c'.repeat(500) }],
    ['ip', { ip: '192.0.2.1', comment: 'c'.repeat(501) }, '/0/comment'],
    ['ip', {}, '/0/ip'],
  ]
  for (const [kind, item, pointer] of rows) {
    await t.test(`${kind} ${JSON.stringify(item).slice(0, 70)}`, async () => {
      const { id } = await aList(kind)
      if (pointer !== undefined) {
        const refused = await api.send('PUT', `${lists}/${id}/items`, [item])
        assert.equal(refused.status, 400)
        assert.equal(refused.body.errors[0].source.pointer, pointer)
      } else {
        // Terraform sends unset members as null.
        await change('PUT', id, [{ ip: null, asn: null, hostname: null, redirect: null, ...item }])
        const { id: _, created_on, modified_on, ...kept } = (await items(id))[0]
        assert.deepEqual(kept, item)
        assert.equal(created_on, modified_on)
      }
      await api.send('DELETE', `${lists}/${id}`)
    })
  }
})

test('a redirect has one source, however it is spelled', async t => {
  const rows: [first: string, second: string, same: boolean][] = [
    ['a.example/x', 'A.Example/x', true],
    ['https://a.example', 'HTTPS://a.example/', true],
    ['bücher.example/~x', 'xn--bcher-kva.example/%7ex', true],
    ['a.example/x', 'a.example/X', false],
    ['a.example/x', 'http://a.example/x', false],
    ['a.example/x', 'a.example/x/', false],
  ]
  for (const [first, second, same] of rows) {
    await t.test(`${first} and ${second}`, async () => {
      const { id } = await aList('redirect')
      const both = [first, second].map(source_url => ({
        redirect: { source_url, target_url: 'https://b.example/' },
      }))
      const { status, body } = await api.send('POST', `${lists}/${id}/items`, both)
      assert.deepEqual(
        [status, body.errors[0]?.source.pointer],
        same ? [400, '/1/redirect'] : [200, undefined],
      )
    })
  }
})

test('bodies without items are refused', async t => {
  const { id } = await aList('hostname')
  const one = { hostname: { url_hostname: 'a.example' } }
  const twice = { hostname: { url_hostname: 'A.example' } }
  const rows: [name: string, Method, body: unknown, pointer?: string][] = [
    ['an object', 'POST', { items: [one] }],
    ['nothing', 'PUT', undefined],
    ['a text', 'POST', ['a.example'], '/0'],
    ['the same twice', 'POST', [one, twice], '/1/hostname'],
    ['ids that are none', 'DELETE', { items: [{ id: newId() }, { id: 'x' }] }, '/items/1/id'],
    ['no ids', 'DELETE', {}, '/items'],
    ['no body', 'DELETE', undefined, '/items'],
  ]
  for (const [name, method, body, pointer] of rows) {
    await t.test(name, async () => {
      const answer = await api.send(method, `${lists}/${id}/items`, body)
      assert.equal(answer.status, 400)
      assert.equal(answer.body.errors[0].source?.pointer, pointer)
    })
  }
})

test('items come in pages that end, also if items are deleted meanwhile', async () => {
  const { id } = await aList('asn')
  await change(
    'PUT',
    id,
    Array.from({ length: 7 }, (_, asn) => ({ asn })),
  )
  const seen: number[] = []
  let query = '?per_page=3&search='
  for (;;) {
    const { body } = await api.send('GET', `${lists}/${id}/items${query}`)
    seen.push(...body.result.map(({ asn }: { asn: number }) => asn))
    await change('DELETE', id, { items: body.result.map((item: { id: string }) => ({ id: item.id })) })
    if (body.result_info === undefined) break
    assert.equal(body.result_info.cursor, body.result_info.cursors.after)
    query = `?per_page=3&cursor=${body.result_info.cursors.after}`
  }
  assert.deepEqual(seen, [0, 1, 2, 3, 4, 5, 6])
  assert.equal((await api.send('GET', `${lists}/${id}/items${query}`)).status, 400, 'both its items are gone')
  for (const [bad, status] of [
    ['?cursor=x', 400],
    ['?per_page=0', 400],
    ['?per_page=501', 400],
    ['?per_page=500', 200],
    ['?cursor=', 200],
  ] as const) {
    assert.equal((await api.send('GET', `${lists}/${id}/items${bad}`)).status, status, bad)
  }
})

test('a search narrows every page', async () => {
  const { id } = await aList()
  await change('PUT', id, [
    { ip: '192.0.2.1' },
    { ip: '203.0.113.1' },
    { ip: '192.0.2.2' },
    { ip: '10.192.0.2' },
  ])
  const first = await api.send('GET', `${lists}/${id}/items?search=192.0&per_page=1`)
  const second = await api.send(
    'GET',
    `${lists}/${id}/items?search=192.0&per_page=1&cursor=${first.body.result_info.cursor}`,
  )
  assert.equal(first.body.result[0].ip, '192.0.2.1')
  assert.equal(second.body.result[0].ip, '192.0.2.2')
  assert.equal('result_info' in second.body, false)
})

test('rules name existing lists and block their deletion', async () => {
  const list = await aList('ip', 'blocked')
  const entryPoint = `${api.zonePath}/rulesets/phases/http_request_firewall_custom/entrypoint`
  const rule = (expression: string) => ({ rules: [{ action: 'block', expression }] })
  const missing = await api.send('PUT', entryPoint, rule('ip.src in $blocked_too'))
  assert.equal(missing.status, 400)
  assert.match(missing.body.errors[0].message, /blocked_too/)
  const wrongKind = await api.send('PUT', entryPoint, rule('http.host in $blocked'))
  assert.equal(wrongKind.status, 400)
  const put = await api.send('PUT', entryPoint, rule('not ip.src in $blocked or http.host eq "$blocked_too"'))
  assert.equal(put.status, 200, JSON.stringify(put.body))
  assert.equal((await api.send('GET', `${lists}/${list.id}`)).body.result.num_referencing_filters, 1)
  const refused = await api.send('DELETE', `${lists}/${list.id}`)
  assert.deepEqual([refused.status, refused.body.errors[0].code], [400, 10031])
  assert.ok(refused.body.errors[0].message.includes(put.body.result.rules[0].id))
  const dry = await api.send('PUT', `${entryPoint}?dry_run=true`, rule('ip.src in $none'))
  assert.equal(dry.status, 400)
  await api.send('PUT', entryPoint, { rules: [] })
  assert.equal((await api.send('DELETE', `${lists}/${list.id}`)).status, 200)
  assert.equal((await api.send('PUT', entryPoint, rule('ip.src in $blocked'))).status, 400)
})

test('operations of a list run in the order of their requests', async () => {
  const { id } = await aList('asn')
  const operations: string[] = []
  for (let n = 0; n < 6; n++) {
    const method = n % 2 === 0 ? 'PUT' : 'POST'
    const { body } = await api.send(method, `${lists}/${id}/items`, [{ asn: n }])
    operations.push(body.result.operation_id)
  }
  for (const operation of operations) assert.equal((await ended(operation)).status, 'completed')
  assert.deepEqual(
    (await items(id)).map(({ asn }: { asn: number }) => asn),
    [4, 5],
  )
})

test('a failed operation has its reason', async () => {
  const { id } = await aList('asn')
  const putItems: Store['lists']['putItems'] = async (...parameters) => {
    await api.store.lists.delete(api.accountId, id)
    return api.store.lists.putItems(...parameters)
  }
  const other = await openTestApi({ store: { ...api.store, lists: { ...api.store.lists, putItems } } })
  const failed = await change('PUT', id, [{ asn: 1 }], other)
  await other.close()
  assert.equal(failed.status, 'failed')
  assert.match(failed.error, /gone/)
  assert.match(failed.completed, /Z$/)
})

test('too many operations at once are refused, and closing waits for the running ones', async () => {
  const { id } = await aList('asn')
  let open: () => void = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  const putItems: Store['lists']['putItems'] = async (...parameters) => {
    await opened
    return api.store.lists.putItems(...parameters)
  }
  const other = await openTestApi({ store: { ...api.store, lists: { ...api.store.lists, putItems } } })
  for (let n = 0; n < listRequestLimits.operationsOpenMax; n++) {
    assert.equal((await other.send('POST', `${lists}/${id}/items`, [{ asn: n }])).status, 200)
  }
  const refused = await other.send('POST', `${lists}/${id}/items`, [{ asn: 99 }])
  assert.deepEqual([refused.status, refused.body.errors[0].code], [429, 10040])
  open()
  await other.close()
  assert.equal((await items(id)).length, listRequestLimits.operationsOpenMax)
})

test('open operations of a dead process fail, those of a live process continue', async () => {
  const [gone, going] = ['0', '1'].map(digit => digit.repeat(32)) as [string, string]
  for (const id of [gone, going])
    await api.store.lists.putOperation({ id, accountId: api.accountId, status: 'running' })
  const operations = new ListOperations({
    store: api.store,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  })
  for (let looks = 0; looks <= listRequestLimits.operationSilentBeatsMax; looks++) {
    await api.store.lists.beatOperations([going])
    await operations.look()
  }
  await operations.close()
  const { body } = await api.send('GET', `${lists}/bulk_operations/${gone}`)
  assert.equal(body.result.status, 'failed')
  assert.match(body.result.error, /stopped/)
  assert.equal((await api.send('GET', `${lists}/bulk_operations/${going}`)).body.result.status, 'running')
})

test('the number of lists of an account is limited', async () => {
  const there = (await api.send('GET', lists)).body.result.length
  for (let n = there; n < listLimits.listsPerAccountMax; n++) await aList()
  const refused = await api.send('POST', lists, { name: 'one_more', kind: 'ip' })
  assert.deepEqual([refused.status, refused.body.errors[0].code], [400, 10314])
})
