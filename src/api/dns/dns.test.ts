import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Cloudflare, { toFile } from 'cloudflare'
import { openTestApi, type TestApi, token } from '../testing/test-api.ts'

/** DNS records by Cloudflare's own client, in a zone `shop.example`. */
let api: TestApi
let client: Cloudflare
let path: string
let zone_id: string
before(async () => {
  api = await openTestApi()
  const baseURL = `${await api.app.listen({ port: 0, host: '127.0.0.1' })}/client/v4`
  client = new Cloudflare({ baseURL, maxRetries: 0, apiToken: token, apiEmail: null, apiKey: null })
  zone_id = api.zoneId
  path = `/zones/${zone_id}/dns_records`
})
after(() => api.close())

type Created = Parameters<Cloudflare['dns']['records']['create']>[0]
const add = (record: object) => client.dns.records.create({ zone_id, ttl: 1, ...record } as Created)

async function clear(): Promise<void> {
  const { result } = (await api.send('GET', `${path}?per_page=4000`)).body
  await api.send('POST', `${path}/batch`, { deletes: result.map(({ id }: { id: string }) => ({ id })) })
}

async function refused(method: 'POST' | 'PATCH' | 'PUT', where: string, body: unknown): Promise<unknown[]> {
  const answer = await api.send(method, where, body)
  const [error] = answer.body.errors
  return [answer.status, error.code, error.source?.pointer]
}

test('a record is created, read, replaced, changed and deleted', async () => {
  const made = await add({ type: 'A', name: 'WWW', content: '192.0.2.1', proxied: true, ttl: 300 })
  assert.deepEqual(
    [made.name, made.type, made.content, made.ttl, made.proxied, made.proxiable, made.tags],
    ['www.shop.example', 'A', '192.0.2.1', 1, true, true, []],
  )
  assert.equal('comment_modified_on' in made, false)
  const { id } = made
  assert.deepEqual(await client.dns.records.get(id, { zone_id }), made)
  const edited = await client.dns.records.edit(id, {
    zone_id,
    ...{ comment: 'main', tags: ['team:web'] },
  } as never)
  assert.deepEqual([edited.comment, edited.tags, edited.content], ['main', ['team:web'], '192.0.2.1'])
  assert.equal(typeof edited.comment_modified_on, 'string')
  const replaced = await client.dns.records.update(id, {
    ...{ zone_id, ttl: 60, type: 'AAAA', name: 'www.shop.example', content: '2001:db8::1' },
  })
  assert.deepEqual(
    [replaced.type, replaced.ttl, replaced.proxied, replaced.comment],
    ['AAAA', 60, false, null],
  )
  assert.deepEqual([replaced.created_on, replaced.id], [made.created_on, id])
  const again = await client.dns.records.update(id, {
    ...{ zone_id, ttl: 60, type: 'AAAA', name: 'www', content: '2001:db8::1' },
  })
  assert.equal(again.modified_on, replaced.modified_on, 'a write that changes nothing moves no time')
  assert.deepEqual(await client.dns.records.delete(id, { zone_id }), { id })
  await assert.rejects(client.dns.records.get(id, { zone_id }), Cloudflare.NotFoundError)
})

test('names: the zone itself, relative, complete, wildcards and international ones', async () => {
  for (const [name, want] of [
    ['@', 'shop.example'],
    ['shop.example', 'shop.example'],
    ['a.b', 'a.b.shop.example'],
    ['a.shop.example.', 'a.shop.example'],
    ['*', '*.shop.example'],
    ['*.api', '*.api.shop.example'],
    ['bücher', 'xn--bcher-kva.shop.example'],
    ['_dmarc', '_dmarc.shop.example'],
  ] as const)
    assert.equal((await add({ type: 'TXT', name, content: name })).name, want)
  for (const name of ['other.example.', 'a..b', 'a b', '-a', 'x.*', ''])
    assert.equal((await refused('POST', path, { type: 'TXT', name, content: 'x' }))[0], 400, name)
  await clear()
})

test('types with parts have their content made from `data`', async () => {
  const rows: [type: string, data: object, content: string, rest?: object][] = [
    ['CAA', { flags: '0', tag: 'issue', value: 'letsencrypt.org' }, '0 issue "letsencrypt.org"'],
    ['SRV', { priority: 5, weight: 0, port: 5222, target: 'talk.test' }, '0 5222 talk.test', { priority: 5 }],
    ['HTTPS', { priority: 1, target: '.', value: 'alpn="h2"' }, '1 . alpn="h2"'],
    ['URI', { weight: 5, target: 'https://a.test/' }, '5 "https://a.test/"', { priority: 10 }],
    [
      'LOC',
      {
        ...{ lat_degrees: 37, lat_minutes: 46, lat_seconds: 46, lat_direction: 'N' },
        ...{ long_degrees: 122, long_minutes: 23, long_seconds: 35, long_direction: 'W' },
        ...{ altitude: 0, size: 100, precision_horz: 0, precision_vert: 0 },
      },
      '37 46 46.000 N 122 23 35.000 W 0.00m 100.00m 0.00m 0.00m',
    ],
  ]
  for (const [type, data, content, rest = {}] of rows) {
    const made = (await add({ type, name: 'typed', data, ...rest })) as unknown as Record<string, unknown>
    assert.deepEqual([made['content'], made['data'], made['proxiable']], [content, data, false], type)
    for (const [name, value] of Object.entries(rest)) assert.equal(made[name], value, type)
  }
  await clear()
})

test('`priority` counts before `data.priority`, and both before the stored priority', async () => {
  const data = { weight: 0, port: 5222, target: 'talk.test' }
  const { id } = await add({ type: 'SRV', name: 'srv', data: { ...data, priority: '10' } })
  for (const [patch, want] of [
    [{ data: { ...data, priority: 20 } }, [20, 20]],
    [{ comment: 'kept' }, [20, 20]],
    [{ priority: 30 }, [30, 30]],
    [{ priority: 40, data: { ...data, priority: 50 } }, [40, 40]],
    [{ data }, [40, undefined]],
    [{ data: { ...data, priority: 65_535 } }, [65_535, 65_535]],
  ] as const) {
    const { result } = (await api.send('PATCH', `${path}/${id}`, patch)).body
    assert.deepEqual([result.priority, result.data.priority], want, JSON.stringify(patch))
  }
  await clear()
})

test('bad values are refused with their pointer, and change nothing', async () => {
  const { id } = await add({ type: 'A', name: 'www', content: '192.0.2.1' })
  const caa = { flags: 0, tag: 'issue', value: 'x' }
  const uri = { weight: 0, target: 'https://a.test/' }
  const rows: [body: object, code: number, pointer: string | undefined][] = [
    [{ type: 'A', name: 'x', content: '192.0.2' }, 9005, '/content'],
    [{ type: 'A', name: 'x', content: '2001:db8::1' }, 9005, '/content'],
    [{ type: 'AAAA', name: 'x', content: '192.0.2.1' }, 9005, '/content'],
    [{ type: 'CNAME', name: 'x', content: '192.0.2.1' }, 9005, '/content'],
    [{ type: 'CNAME', name: 'x', content: 'a b' }, 9005, '/content'],
    [{ type: 'TXT', name: 'x', content: 'a\nb' }, 9005, '/content'],
    [{ type: 'A', name: 'x' }, 10421, '/content'],
    [{ type: 'CAA', name: 'x' }, 10421, '/data'],
    [{ type: 'CAA', name: 'x', data: { ...caa, flags: 'a' } }, 9005, '/data/flags'],
    [{ type: 'CAA', name: 'x', data: { ...caa, more: 1 } }, 9005, '/data/more'],
    [{ type: 'CAA', name: 'x', data: { ['x'.repeat(51)]: 1 } }, 10423, '/data'],
    [{ type: 'CAA', name: 'x', data: { ...caa, 'a/b~': 1 } }, 9005, '/data/a~1b~0'],
    [{ type: 'CAA', name: 'x', data: { ...caa, name: { more: 1 } } }, 9005, '/data/name'],
    [{ type: 'CAA', name: 'x', data: { ...caa, service: 'x'.repeat(4097) } }, 9005, '/data/service'],
    [{ type: 'CAA', name: 'x', data: { ...caa, proto: ['_tcp'] } }, 9005, '/data/proto'],
    [{ type: 'URI', name: 'x', data: { ...uri, priority: -1.5 } }, 9005, '/data/priority'],
    [{ type: 'URI', name: 'x', data: { ...uri, priority: 65_536 } }, 9005, '/data/priority'],
    [{ type: 'HTTPS', name: 'x', data: { priority: 65_536, target: '.' } }, 9005, '/data/priority'],
    [{ type: 'HTTPS', name: 'x', data: { target: '.' } }, 9005, '/data/priority'],
    [{ type: 'A', name: 'x', content: '192.0.2.1', ttl: 20 }, 9021, '/ttl'],
    [{ type: 'TXT', name: 'x', content: 'x', proxied: true }, 9004, '/proxied'],
    [{ type: 'A', name: 'x', content: '192.0.2.1', unknown: 1 }, 10420, '/unknown'],
    [{ type: 'A', name: 'www', content: '192.0.2.1' }, 81058, undefined],
    [{ type: 'CNAME', name: 'www', content: 'a.test' }, 81053, '/name'],
    [{ type: 'NS', name: 'www', content: 'ns.test' }, 81053, '/name'],
  ]
  for (const [body, code, pointer] of rows) {
    const [status, gotCode, gotPointer] = await refused('POST', path, body)
    assert.deepEqual([status, gotCode, gotPointer || undefined], [400, code, pointer], JSON.stringify(body))
  }
  assert.equal((await refused('PATCH', `${path}/${id}`, { content: 'x' }))[1], 9005)
  const { result } = (await api.send('GET', path)).body
  assert.deepEqual(
    result.map(({ content }: { content: string }) => content),
    ['192.0.2.1'],
  )
  await clear()
})

test('a proxied record must not have an address that is never connected to', async () => {
  const body = { type: 'A', name: 'metadata', content: '169.254.169.254' }
  assert.deepEqual(await refused('POST', path, { ...body, proxied: true }), [400, 9005, '/content'])
  assert.equal((await api.send('POST', path, body)).status, 200)
  await clear()
})

test('a proxied record must not lead to the edge itself', async () => {
  const { result } = (await api.send('GET', `/zones/${zone_id}`)).body
  await api.send('PATCH', `/zones/${zone_id}`, { origin: { url: 'http://192.0.2.1:8080' } })
  const body = { type: 'A', name: 'loop', content: '127.0.0.1' }
  assert.deepEqual(await refused('POST', path, { ...body, proxied: true }), [400, 9005, '/content'])
  assert.equal((await api.send('POST', path, body)).status, 200)
  await api.send('PATCH', `/zones/${zone_id}`, { origin: result.origin })
  await clear()
})

test('lists are filtered, ordered and paged', async () => {
  await add({ type: 'A', name: 'a', content: '192.0.2.2', proxied: true, comment: 'Main site' })
  await add({ type: 'A', name: 'b', content: '192.0.2.1', ttl: 600, tags: ['team:web', 'old'] })
  await add({ type: 'CNAME', name: 'c', content: 'a.shop.example', ttl: 300, tags: ['team:api'] })
  await add({ type: 'TXT', name: 'd', content: 'Hello', ttl: 60 })
  const rows: [query: string, names: string][] = [
    ['', 'abcd'],
    ['type=A', 'ab'],
    ['proxied=true', 'a'],
    ['name=b.shop.example', 'b'],
    ['name.exact=B.shop.example', 'b'],
    ['name.startswith=c', 'c'],
    ['content.contains=192', 'ab'],
    ['content.endswith=.2', 'a'],
    ['content=hello', 'd'],
    ['comment.contains=main', 'a'],
    ['comment.absent=', 'bcd'],
    ['tag.present=team', 'bc'],
    ['tag=team:web', 'b'],
    ['tag.startswith=team:a', 'c'],
    ['tag.absent=old&tag.present=team', 'c'],
    ['search=hello', 'd'],
    ['type=TXT&proxied=true&match=any', 'ad'],
    ['order=name&direction=desc', 'dcba'],
    ['order=ttl', 'adcb'],
    ['order=content&type=A', 'ba'],
    ['per_page=2&page=2', 'cd'],
  ]
  for (const [query, names] of rows) {
    const { body } = await api.send('GET', `${path}?${query}`)
    assert.equal(body.result.map(({ name }: { name: string }) => name[0]).join(''), names, query)
  }
  const listed: string[] = []
  for await (const { name } of client.dns.records.list({ zone_id, per_page: 3 })) listed.push(name)
  assert.equal(listed.length, 4)
  await clear()
})

test('a batch deletes, patches, replaces and creates in one transaction', async () => {
  const [one, two, three] = [
    await add({ type: 'A', name: 'one', content: '192.0.2.1' }),
    await add({ type: 'A', name: 'two', content: '192.0.2.2', comment: 'kept' }),
    await add({ type: 'A', name: 'three', content: '192.0.2.3', comment: 'lost' }),
  ]
  const posted = { type: 'CNAME', name: 'one', content: 'a.test', ttl: 1 } as const
  const batch = await client.dns.records.batch({
    zone_id,
    posts: [posted],
    puts: [{ id: three.id, type: 'A', name: 'three', content: '192.0.2.9', ttl: 1 }],
    patches: [{ id: two.id, content: '192.0.2.8' } as never],
    deletes: [{ id: one.id }],
  })
  assert.deepEqual(
    [batch.deletes, batch.patches, batch.puts, batch.posts].map(list => list!.map(({ content }) => content)),
    [['192.0.2.1'], ['192.0.2.8'], ['192.0.2.9'], ['a.test']],
  )
  assert.deepEqual([batch.patches![0]!.comment, batch.puts![0]!.comment], ['kept', null])
  const before = (await api.send('GET', path)).body.result
  const failing = { deletes: [{ id: two.id }], posts: [{ type: 'A', name: 'x', content: 'bad' }] }
  assert.deepEqual(await refused('POST', `${path}/batch`, failing), [400, 9005, '/posts/0/content'])
  const unknown = { deletes: [{ id: '0'.repeat(32) }] }
  assert.deepEqual(await refused('POST', `${path}/batch`, unknown), [404, 81044, '/deletes/0/id'])
  assert.deepEqual((await api.send('GET', path)).body.result, before)
  await clear()
})

const zoneFile = `
$ORIGIN shop.example.
$TTL 1h
@       IN SOA ns.test. admin.test. (
          1 ; serial
          7200 3600 1209600 3600 )
        IN NS ns.test.
@       A 192.0.2.1
www 300 IN A 192.0.2.1 ; main site cf_tags=team:web,old,note:"a, b",cf-proxied:true
        AAAA 2001:db8::1
ftp     IN 60 CNAME www
        MX 10 mail
txt     TXT "v=spf1 -all" "second; part"
_sip._tcp SRV 1 2 5060 sip.test.
caa     CAA 0 issue "ca.test"
$GENERATE 1-3 host$ A 192.0.2.\${10}
`

test('a zone file is imported once and comes out with the same records', async () => {
  const upload = async (file: string) =>
    client.dns.records.import({ zone_id, file: (await toFile(Buffer.from(file), 'zone.txt')) as never })
  assert.deepEqual(await upload(zoneFile), { recs_added: 11, total_records_parsed: 11 })
  const known = (await api.send('GET', path)).body.result
  const www = known.find(
    ({ content, name }: { content: string; name: string }) =>
      name.startsWith('www') && content === '192.0.2.1',
  )
  assert.deepEqual(
    [www.proxied, www.ttl, www.comment, www.tags],
    [true, 1, 'main site', ['team:web', 'old', 'note:a, b']],
  )
  const contents = known.map(
    ({ type, name, content }: { [key: string]: string }) => `${name} ${type} ${content}`,
  )
  for (const line of [
    'www.shop.example AAAA 2001:db8::1',
    'ftp.shop.example MX mail.shop.example',
    'txt.shop.example TXT "v=spf1 -all" "second; part"',
    '_sip._tcp.shop.example SRV 2 5060 sip.test',
    'host3.shop.example A 192.0.2.13',
  ])
    assert.ok(contents.includes(line), `${line}\nis not in\n${contents.join('\n')}`)
  assert.deepEqual(await upload(zoneFile), { recs_added: 0, total_records_parsed: 11 })
  const file = await client.dns.records.export({ zone_id })
  await clear()
  assert.deepEqual(await upload(file), { recs_added: 11, total_records_parsed: 11 })
  const timeless = (records: { [key: string]: unknown }[]) =>
    records.map(record =>
      Object.fromEntries(Object.entries(record).filter(([name]) => name !== 'id' && !name.endsWith('_on'))),
    )
  assert.deepEqual(timeless((await api.send('GET', path)).body.result), timeless(known))
  await clear()
})

test('a faulty zone file is refused with its line, and adds nothing', async () => {
  const upload = async (file: string) => {
    const form = new FormData()
    form.set('file', file)
    const response = await fetch(`${client.baseURL}${path}/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    return [
      response.status,
      ((await response.json()) as { errors: { message: string }[] }).errors[0]?.message,
    ]
  }
  const begins = 'ok A 192.0.2.1\n'
  for (const [file, want] of [
    ['$INCLUDE x', /line 2 .*\$INCLUDE directive not allowed/],
    ['a A 1.2', /line 2 .*IPv4/],
    ['a ("x', /line 2 .*not closed/],
    ['a A 192.0.2.1 )', /line 2 .*not open/],
    ['$GENERATE 1-9999999 a$ A 192.0.2.1', /line 2 .*more than 1000/],
    ['\na BOGUS x', /line 3 .*unknown record type BOGUS/],
    ['a.other.example. A 192.0.2.1', /line 2 .*not a name of the zone/],
    [`a TXT ${'x '.repeat(1099)}`, /line 2 .*more than 1100 fields/],
    ['a IN 60 IN A 192.0.2.1', /line 2 .*unknown record type IN/],
    ['a MX mail', /line 2 .*priority/],
    ['a MX 99999 mail', /line 2 .*'99999' .*priority.*more than 65535/],
    [`a TXT ${'x'.repeat(5000)}`, /line 2 .*content.*more than 4096 characters/],
    [`a A 192.0.2.1 ; ${'x'.repeat(501)}`, /line 2 .*comment.*more than 500 characters/],
    [`a A 192.0.2.1 ; cf_tags=${'a,'.repeat(21)}`, /line 2 .*tags.*more than 20 entries/],
    [`a A 192.0.2.1 ; cf_tags=${'a'.repeat(133)}`, /line 2 .*tags.*more than 132 characters/],
    ['$GENERATE 1-1000 a A 192.0.2.1\n'.repeat(4), /line 5 .*more than 3500 records/],
    ['$GENERATE 1-1000 @ NS a.test.\n'.repeat(4), /line 5 .*more than 3500 records/],
    ['a A 192.0.2.1\n'.repeat(3501), /line 3501 .*more than 3500 records/],
    [`$GENERATE 1-1000 @ NS ${'x'.repeat(1100)}`, /line 2 .*more than 1048576 characters/],
    [`$GENERATE 1-1000 @ NS a ; cf_tags=${'cf-a,'.repeat(220)}`, /line 2 .*more than 1048576 characters/],
  ] as const) {
    const [status, message] = await upload(begins + file)
    assert.equal(status, 400, file)
    assert.match(String(message), want, file)
  }
  assert.equal((await upload('x'.repeat(1024 * 1024 + 1)))[0], 413)
  assert.deepEqual((await api.send('GET', path)).body.result, [])
})

test('a token needs DNS Read or DNS Write', async () => {
  const groups = (await api.send('GET', '/user/tokens/permission_groups?name=DNS%20Read')).body.result
  assert.deepEqual(
    groups.map(({ id }: { id: string }) => id),
    ['82e64a83756745bbbb1c9c2701bf816b'],
  )
  const made = await api.send('POST', '/user/tokens', {
    name: 'dns',
    policies: [
      {
        effect: 'allow',
        permission_groups: [{ id: groups[0].id }],
        resources: { [`com.cloudflare.api.account.zone.${zone_id}`]: '*' },
      },
    ],
  })
  const headers = { authorization: `Bearer ${made.body.result.value}` }
  assert.equal((await api.send('GET', path, undefined, headers)).status, 200)
  const body = { type: 'A', name: 'x', content: '192.0.2.1' }
  assert.equal((await api.send('POST', path, body, headers)).status, 403)
})
