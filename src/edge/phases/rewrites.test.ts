import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { HeaderChange, PlanPhase, PlanRule, TextOf } from '../../rulesets/plan/plan.ts'
import { execution, fakeProgram } from '../testing/fake-program.ts'
import {
  eventually,
  planFor,
  planPhase,
  RawClient,
  rule,
  startEdge,
  startOrigin,
} from '../testing/fixture.ts'

const transform = 'http_request_transform'
const custom = 'http_request_firewall_custom'
const managed = 'http_request_firewall_managed'
const late = 'http_request_late_transform'

const text =
  (value: string): TextOf =>
  () =>
    value

/** An origin that keeps its requests, behind an edge. */
async function edgeWith(t: TestContext, request: readonly PlanPhase[], logFields = {}) {
  const asked: IncomingMessage[] = []
  const origin = await startOrigin(t, (message, response) => {
    asked.push(message)
    message.pipe(response)
  })
  const running = await startEdge(t, planFor(origin.url, { request, logFields }))
  return { ...running, asked }
}

function uri(path: string | undefined, query: string | undefined, matches?: PlanRule['matches']): PlanRule {
  const part = (value: string | undefined) => (value === undefined ? undefined : text(value))
  return rule({ kind: 'rewrite-uri', path: part(path), query: part(query) }, matches)
}

const uris: readonly { name: string; rules: readonly PlanRule[]; target: string; want: string }[] = [
  { name: 'path', rules: [uri('/new', undefined)], target: '/old?a=1', want: '/new?a=1' },
  { name: 'query', rules: [uri(undefined, 'b=2')], target: '/old?a=1', want: '/old?b=2' },
  { name: 'query removed', rules: [uri(undefined, '')], target: '/old?a=1', want: '/old' },
  { name: 'both', rules: [uri('/new', 'b=2')], target: '/old', want: '/new?b=2' },
  {
    name: 'the last rule wins, for each part',
    rules: [uri('/1', 'a'), uri('/2', undefined), uri(undefined, 'c')],
    target: '/',
    want: '/2?c',
  },
  {
    name: 'no value',
    rules: [rule({ kind: 'rewrite-uri', path: () => undefined, query: undefined })],
    target: '/x',
    want: '/x',
  },
  { name: 'no slash at the beginning', rules: [uri('new', undefined)], target: '/x', want: '/new' },
  {
    name: 'bytes that are not allowed',
    rules: [uri('/a b?c#d\r\n\xe9', 'x y#z\n')],
    target: '/x',
    want: '/a%20b%3Fc%23d%0D%0A%E9?x%20y%23z%0A',
  },
  {
    name: 'a value at the limit',
    rules: [uri(`/${'a'.repeat(16_383)}`, undefined)],
    target: '/x',
    want: `/${'a'.repeat(16_383)}`,
  },
  {
    name: 'a rule with a longer value has no effect',
    rules: [uri(`/${'a'.repeat(16_384)}`, 'b')],
    target: '/x',
    want: '/x',
  },
]
for (const { name, rules, target, want } of uris) {
  test(`rewriting the URI: ${name}`, async t => {
    const program = fakeProgram()
    const seen: string[] = []
    const looks = rule({ kind: 'action', action: 'log' }, view => {
      seen.push(view.uri, view.rawUri)
      return false
    })
    const { url, asked, records } = await edgeWith(t, [
      planPhase(transform, { zone: rules }),
      planPhase(custom, { zone: [looks] }),
      planPhase(managed, { zone: [rule(execution(program))] }),
    ])
    // Within node's limit for a head.
    const answer = await fetch(url + target)
    assert.equal(answer.status, want.length > 10_000 ? 431 : 200)
    assert.equal(program.requests[0]!.target, want)
    assert.deepEqual(seen, [want, target])
    if (answer.status === 200) assert.equal(asked[0]!.url, want)
    await eventually(() => records.length === 1)
    assert.equal(records[0]!['ClientRequestURI'], target)
    assert.equal(records[0]!['WAFFlags'], name.includes('has no effect') ? '0x4' : '')
  })
}

test('values stay the same in a phase and change with the next', async t => {
  const seen: string[] = []
  const watch = (name: string): PlanRule['matches'] => {
    return view => {
      seen.push(`${name} ${view.uri} ${view.headers.find(([header]) => header === 'x-team')?.[1] ?? '-'}`)
      return true
    }
  }
  const append = (suffix: string, name: string) =>
    rule({ kind: 'rewrite-uri', path: view => view.path + suffix, query: undefined }, watch(name))
  const header = (name: string) =>
    rule(
      {
        kind: 'rewrite-headers',
        changes: [{ operation: 'set', name: 'x-team', value: view => `at ${view.path}` }],
      },
      watch(name),
    )
  const { url, asked } = await edgeWith(t, [
    planPhase(transform, {
      account: [append('/1', 'account')],
      zone: [append('/2', 'zone-1'), append('/3', 'zone-2')],
    }),
    planPhase(custom, { zone: [rule({ kind: 'action', action: 'log' }, watch('custom'))] }),
    planPhase(late, { zone: [header('late-1'), header('late-2')] }),
  ])
  await fetch(`${url}/a`)
  assert.deepEqual(seen, [
    'account /a -',
    'zone-1 /a -',
    'zone-2 /a -',
    'custom /a/3 -',
    'late-1 /a/3 -',
    'late-2 /a/3 -',
  ])
  assert.deepEqual([asked[0]!.url, asked[0]!.headers['x-team']], ['/a/3', 'at /a/3'])
})

test('only expressions see a normalised path; the origin and managed rules see the sent one', async t => {
  const program = fakeProgram()
  const seen: string[] = []
  const looks = rule({ kind: 'action', action: 'log' }, view => {
    seen.push(view.path, view.rawPath)
    return false
  })
  const phases = (query: string | undefined) => [
    planPhase('http_request_sanitize', { zone: [rule({ kind: 'normalize-uri' })] }),
    ...(query === undefined ? [] : [planPhase(transform, { zone: [uri(undefined, query)] })]),
    planPhase(custom, { zone: [looks] }),
    planPhase(managed, { zone: [rule(execution(program))] }),
  ]
  for (const query of [undefined, 'new']) {
    const { port, asked } = await edgeWith(t, phases(query))
    const client = new RawClient(port).send('GET /a/../%62?q HTTP/1.1\r\nHost: site.test\r\n\r\n')
    await client.until('200 OK')
    assert.equal(asked[0]!.url, `/a/../%62?${query ?? 'q'}`)
    assert.equal(program.requests.at(-1)!.target, asked[0]!.url)
    assert.deepEqual(seen.splice(0), ['/b', '/a/../%62'])
  }
})

function changes(...list: readonly HeaderChange[]): PlanRule {
  return rule({ kind: 'rewrite-headers', changes: list })
}
const set = (name: string, value: string): HeaderChange => ({ operation: 'set', name, value: text(value) })
const add = (name: string, value: string): HeaderChange => ({ operation: 'add', name, value: text(value) })
const remove = (name: string): HeaderChange => ({ operation: 'remove', name })

const headerRows: readonly {
  name: string
  rules: readonly PlanRule[]
  want: readonly (readonly [string, string | undefined])[]
}[] = [
  {
    name: 'set a new header',
    rules: [changes(set('X-New', 'n'))],
    want: [
      ['x-new', 'n'],
      ['x-old', '1, 2'],
    ],
  },
  { name: 'set replaces all lines', rules: [changes(set('x-old', '3'))], want: [['x-old', '3']] },
  { name: 'remove takes all lines', rules: [changes(remove('X-OLD'))], want: [['x-old', undefined]] },
  { name: 'add keeps them', rules: [changes(add('x-old', '3'))], want: [['x-old', '1, 2, 3']] },
  {
    name: 'the last rule wins',
    rules: [changes(set('x-old', '3')), changes(remove('x-old'))],
    want: [['x-old', undefined]],
  },
  {
    name: 'lines added after it stay',
    rules: [changes(remove('x-old')), changes(add('x-old', '3')), changes(add('x-old', '4'))],
    want: [['x-old', '3, 4']],
  },
  { name: 'set to nothing removes', rules: [changes(set('x-old', ''))], want: [['x-old', undefined]] },
  {
    name: 'set to no value removes',
    rules: [changes({ operation: 'set', name: 'x-old', value: () => undefined })],
    want: [['x-old', undefined]],
  },
  {
    name: 'add without a value adds nothing',
    rules: [changes({ operation: 'add', name: 'x-old', value: () => undefined })],
    want: [['x-old', '1, 2']],
  },
  {
    name: 'no new line by injection',
    rules: [changes(set('x-new', ' a\r\nX-Evil: 1\0\x01 '))],
    want: [
      ['x-new', 'a  X-Evil: 1'],
      ['x-evil', undefined],
    ],
  },
  { name: 'other bytes pass', rules: [changes(set('x-new', 'caf\xe9'))], want: [['x-new', 'caf\xe9']] },
  { name: 'at the end as well', rules: [changes(set('x-new', '\xc3\xa0 '))], want: [['x-new', '\xc3\xa0']] },
  {
    name: 'headers of the proxy do not change',
    rules: [
      changes(
        set('Host', 'evil.test'),
        set('content-length', '1'),
        set('transfer-encoding', 'gzip'),
        set('ray-id', '1'),
        set('x-forwarded-for', '1'),
        remove('x-forwarded-proto'),
        set('cf-connecting-ip', '1'),
        set('connection', 'x-old'),
        set('two words', '1'),
      ),
    ],
    want: [
      ['host', 'site.test'],
      ['content-length', '2'],
      ['transfer-encoding', undefined],
      ['x-forwarded-for', '127.0.0.1'],
      ['x-forwarded-proto', 'http'],
      ['cf-connecting-ip', '127.0.0.1'],
      ['x-old', '1, 2'],
    ],
  },
]
for (const { name, rules, want } of headerRows) {
  test(`rewriting request headers: ${name}`, async t => {
    const { port, asked } = await edgeWith(t, [planPhase(late, { zone: rules })])
    const client = new RawClient(port).send(
      'POST / HTTP/1.1\r\nHost: site.test\r\nX-Old: 1\r\nx-old: 2\r\nContent-Length: 2\r\n\r\nhi',
    )
    await client.until('200 OK')
    for (const [header, value] of want) assert.equal(asked[0]!.headers[header], value, header)
  })
}

test('a client cannot remove headers of rules by naming them in Connection', async t => {
  const { port, asked } = await edgeWith(t, [planPhase(late, { zone: [changes(set('x-new', '1'))] })])
  const client = new RawClient(port).send(
    'GET / HTTP/1.1\r\nHost: site.test\r\nConnection: keep-alive, X-New, X-Old\r\nX-New: 0\r\nX-Old: 0\r\n\r\n',
  )
  await client.until('200 OK')
  const { headers } = asked[0]!
  assert.deepEqual([headers['x-new'], headers['x-old']], ['1', undefined])
})

test('records have headers as received and as rewritten', async t => {
  const { url, records } = await edgeWith(
    t,
    [planPhase(late, { zone: [changes(set('x-a', 'new'), set('x-b', 'new'))] })],
    { request: ['x-a'], transformedRequest: ['x-b', 'x-c'] },
  )
  await fetch(url, { headers: { 'x-a': 'old', 'x-b': 'old', 'x-c': 'old' } })
  await eventually(() => records.length === 1)
  assert.deepEqual(records[0]!['RequestHeaders'], { 'x-a': 'old', 'x-b': 'new', 'x-c': 'old' })
})

for (const [length, chunked] of [
  [0, false],
  [5, false],
  [5, true],
  [131_072, false],
  [131_073, false],
  [400_000, true],
] as const) {
  test(`expressions see the beginning of a body of ${length}${chunked ? ' in chunks' : ''}`, async t => {
    const seen: { raw: string; truncated: boolean; size: number }[] = []
    const looks = rule({ kind: 'action', action: 'log' }, ({ body }) => {
      seen.push(body)
      return false
    })
    const program = fakeProgram()
    const { url } = await edgeWith(t, [
      planPhase(transform, { zone: [looks] }, true),
      planPhase(custom, { zone: [looks] }, true),
      planPhase(managed, { zone: [rule(execution(program))] }),
    ])
    const body = Buffer.alloc(length, 'abc\xe9', 'latin1')
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(body.subarray(0, length >> 1))
        controller.enqueue(body.subarray(length >> 1))
        controller.close()
      },
    })
    const init = { method: 'POST', body: chunked ? stream : body, duplex: 'half' } as RequestInit
    const answer = await fetch(url, init)
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), body)
    assert.ok(program.bodies[0]!.bytes.equals(body))
    assert.equal(seen.length, 2)
    for (const { raw, truncated, size } of seen) {
      assert.equal(raw, body.toString('latin1', 0, 131_072))
      assert.equal(truncated, length > 131_072)
      if (!chunked) assert.equal(size, length)
      else assert.ok(size <= length && size >= raw.length)
    }
  })
}

test('a body is read for expressions only if one uses it', async t => {
  let sizes = ''
  const looks = rule({ kind: 'action', action: 'log' }, ({ body }) => {
    sizes += `${body.size} `
    return false
  })
  const { url } = await edgeWith(t, [planPhase(custom, { zone: [looks] })])
  assert.equal(await (await fetch(url, { method: 'POST', body: 'hello' })).text(), 'hello')
  assert.equal(sizes, '0 ')
})

test('a failing expression is an internal error: 500, counted, and not forwarded', async t => {
  const quiet = { warn: () => {}, error: () => {} }
  let asked = 0
  const origin = await startOrigin(t, (_request, response) => {
    asked++
    response.end()
  })
  const fails = () => {
    throw new Error('of ours')
  }
  for (const failing of [
    rule({ kind: 'action', action: 'log' }, fails),
    rule({ kind: 'redirect', status: 301, target: fails, preserveQuery: true }),
    rule({ kind: 'rewrite-uri', path: undefined, query: fails }),
    rule({ kind: 'rewrite-headers', changes: [{ operation: 'set', name: 'a', value: fails }] }),
  ]) {
    const plan = planFor(origin.url, { request: [planPhase(custom, { zone: [failing] })] })
    const { url, edge, records } = await startEdge(t, plan, { logger: quiet })
    assert.equal((await fetch(url)).status, 500)
    assert.equal(edge.stats().internalFailures, 1)
    await eventually(() => records.length === 1)
  }
  assert.equal(asked, 0)
})
