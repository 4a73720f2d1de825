import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestView } from '../../rulesets/fields/request-view.ts'
import { receivedBody } from '../message/received-body.ts'
import { execution, fakeProgram } from '../testing/fake-program.ts'
import { eventually, planFor, planPhase, rule, startEdge, trusted } from '../testing/fixture.ts'
import type { ProxiedRequest } from './proxied-request.ts'

/** A request as a proxy describes it. */
function proxied(target: string, parts: Partial<ProxiedRequest> = {}): ProxiedRequest {
  return {
    head: {
      method: 'GET',
      target,
      protocol: 'HTTP/1.1',
      headers: [
        ['Host', 'site.test'],
        ['CF-Forged', 'x'],
      ],
    },
    peerIp: '203.0.113.7',
    peerPort: 4711,
    serverIp: '192.0.2.1',
    serverPort: 443,
    scheme: 'https',
    tls: { protocol: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256' },
    body: undefined,
    bodyUnseen: false,
    reportsAnswer: true,
    ...parts,
  }
}

const block = rule({ kind: 'action', action: 'block' }, view => view.path === '/attack')

test('a request passes and is recorded once, with its response', async t => {
  const { edge, records } = await startEdge(t, planFor('http://127.0.0.1:9', { custom: [block] }))
  const exchange = edge.inspect(proxied('/fine?x=1'))
  const verdict = await exchange.verdict
  assert.ok(verdict.kind === 'pass')
  assert.equal(verdict.uri, undefined)
  assert.deepEqual(verdict.headers.remove, ['cf-forged'])
  const set = Object.fromEntries(verdict.headers.set)
  assert.deepEqual(set['ray-id'], [exchange.rayId])
  assert.deepEqual(set['cf-connecting-ip'], ['203.0.113.7'])
  assert.equal(records.length, 0)
  const answer = await exchange.answered(201, [
    ['Content-Type', 'text/plain'],
    ['Content-Length', '7'],
  ])
  assert.deepEqual(answer.kind === 'pass' && answer.headers, {
    set: [['Ray-ID', [exchange.rayId]]],
    remove: [],
  })
  assert.equal(records.length, 1)
  const [record] = records
  const { EdgeResponseStatus, OriginResponseStatus, EdgeResponseBodyBytes, ClientIP, WAFFlags } = record!
  assert.deepEqual([EdgeResponseStatus, OriginResponseStatus, EdgeResponseBodyBytes], [201, 201, 7])
  assert.deepEqual([ClientIP, WAFFlags], ['203.0.113.7', ''])
  assert.equal(record!['ClientSSLProtocol'], 'TLSv1.3')
  await eventually(() => edge.stats().active === 0)
  assert.equal((await exchange.answered(200, [])).kind, 'pass')
  assert.equal(records.length, 1)
})

function posted(bytes: string, cut: boolean): Partial<ProxiedRequest> {
  const headers = [['Host', 'site.test']] as const
  const framing = { announcedBytes: undefined, mayHaveBody: true }
  return {
    head: { method: 'POST', target: '/', protocol: 'HTTP/2', headers },
    body: receivedBody(Buffer.from(bytes), framing, cut),
  }
}

test('a blocked request is recorded with the verdict; the page has its Ray ID', async t => {
  const { edge, records } = await startEdge(t, planFor('http://127.0.0.1:9', { custom: [block] }))
  const exchange = edge.inspect(proxied('/attack'))
  const verdict = await exchange.verdict
  assert.ok(verdict.kind === 'page')
  assert.deepEqual([verdict.status, verdict.action, verdict.ruleId], [403, 'block', 'rule-1'])
  assert.ok(verdict.body.includes(exchange.rayId))
  assert.equal(records.length, 1)
  exchange.abandon(false)
  await eventually(() => edge.stats().active === 0)
  assert.equal(records.length, 1)
})

test('managed rules see the body, and the record says when it was cut or not shown', async t => {
  const managed = [rule(execution(fakeProgram({ score: 7, requestBodyBytesMax: 100 })))]
  const { edge, records } = await startEdge(t, planFor('http://127.0.0.1:9', { managed }))
  const attack = await edge.inspect(proxied('/', posted('an attack', false))).verdict
  assert.deepEqual([attack.kind, attack.score], ['page', 7])
  for (const [parts, flags] of [
    [posted('fine', true), '0x2'],
    [posted('fine', false), ''],
    [{ bodyUnseen: true }, '0x8'],
  ] as const) {
    const exchange = edge.inspect(proxied('/', parts))
    assert.equal((await exchange.verdict).kind, 'pass')
    await exchange.answered(200, [])
    assert.equal(records.at(-1)!['WAFFlags'], flags)
  }
})

test('without a report, the record has no status and says so', async t => {
  const { edge, records } = await startEdge(t, planFor('http://127.0.0.1:9'), {
    limits: { proxiedAnswerMs: 20, proxiedWaitingMax: 2 },
  })
  const at = () => [records.at(-1)!['EdgeResponseStatus'], records.at(-1)!['WAFFlags']]
  await edge.inspect(proxied('/', { reportsAnswer: false })).verdict
  assert.equal(records.length, 1)
  assert.deepEqual(at(), [0, '0x10'])
  const left = edge.inspect(proxied('/'))
  await left.verdict
  left.abandon(true)
  await eventually(() => records.length === 2)
  assert.deepEqual(at(), [499, ''])
  for (let sent = 0; sent < 3; sent++) await edge.inspect(proxied('/')).verdict
  await eventually(() => records.length === 5)
  assert.deepEqual(at(), [0, '0x10'])
})

test('rules change the request for the origin, and the response for the client', async t => {
  const set = (name: string, value: string) => ({ operation: 'set', name, value: () => value }) as const
  const request = [
    planPhase('http_request_transform', {
      zone: [
        rule({ kind: 'rewrite-uri', path: () => '/new', query: undefined }),
        rule({
          kind: 'rewrite-headers',
          changes: [set('X-Team', 'a'), { operation: 'remove', name: 'cookie' }],
        }),
      ],
    }),
  ]
  const responseHeaders = [rule({ kind: 'rewrite-headers', changes: [set('X-Seen', 'yes')] })]
  const { edge } = await startEdge(t, planFor('http://127.0.0.1:9', { request, responseHeaders }))
  const headers = [
    ['Host', 'site.test'],
    ['Cookie', 'a=1'],
    ['X-Forwarded-For', '203.0.113.9'],
  ] as const
  const head = { method: 'GET', target: '/old?q=1', protocol: 'HTTP/1.1', headers }
  const exchange = edge.inspect(proxied('/', { head }))
  const verdict = await exchange.verdict
  assert.ok(verdict.kind === 'pass')
  assert.equal(verdict.uri, '/new?q=1')
  assert.deepEqual(verdict.headers.remove, ['cookie'])
  assert.deepEqual(Object.fromEntries(verdict.headers.set)['X-Team'], ['a'])
  const answer = await exchange.answered(200, [['Server', 'x']])
  assert.ok(answer.kind === 'pass')
  assert.deepEqual(Object.fromEntries(answer.headers.set)['X-Seen'], ['yes'])
})

test('a response rule replaces the response by a page, and the record has both', async t => {
  const response = [rule({ kind: 'action', action: 'block' }, view => view.response?.status === 500)]
  const { edge, records } = await startEdge(t, planFor('http://127.0.0.1:9', { response }))
  const exchange = edge.inspect(proxied('/'))
  assert.equal((await exchange.verdict).kind, 'pass')
  const answer = await exchange.answered(500, [['Server', 'x']])
  assert.deepEqual([answer.kind, answer.kind === 'page' && answer.status], ['page', 403])
  assert.deepEqual([records[0]!['EdgeResponseStatus'], records[0]!['OriginResponseStatus']], [403, 500])
})

test('a custom error replaces the response, and the rules for headers see its page', async t => {
  const effect = {
    kind: 'serve-error',
    status: 418,
    contentType: 'text/plain',
    content: ['sorry'],
    namesError: false,
  } as const
  const set = {
    operation: 'set',
    name: 'X-Seen',
    value: (view: RequestView) => String(view.response?.status),
  } as const
  const { edge, records } = await startEdge(
    t,
    planFor('http://127.0.0.1:9', {
      customErrors: [rule(effect)],
      responseHeaders: [rule({ kind: 'rewrite-headers', changes: [set] })],
    }),
  )
  const answered = async (status: number) => {
    const exchange = edge.inspect(proxied('/'))
    assert.equal((await exchange.verdict).kind, 'pass')
    return exchange.answered(status, [
      ['Connection', 'close, x-hop'],
      ['X-Hop', 'a'],
      ['X-Kept', 'b'],
      ['Content-Length', '300'],
    ])
  }
  assert.equal((await answered(302)).kind, 'pass')
  const page = await answered(404)
  assert.ok(page.kind === 'page')
  const {
    connection,
    'x-hop': hop,
    'x-kept': kept,
    'x-seen': seen,
  } = Object.fromEntries(page.headers.map(([name, value]) => [name.toLowerCase(), value]))
  assert.deepEqual([page.status, page.body.toString(), kept, seen], [418, 'sorry', 'b', '418'])
  assert.deepEqual([connection, hop], [undefined, undefined])
  const fields = ['EdgeResponseStatus', 'EdgeResponseBodyBytes', 'OriginResponseStatus'] as const
  assert.deepEqual(
    fields.map(field => records[1]![field]),
    [418, 5, 404],
  )
})

test('a trusted proxy in front names the client and its scheme', async t => {
  const { edge, records } = await startEdge(t, planFor('http://127.0.0.1:9'), {
    trustedProxies: trusted('203.0.113.0/24'),
  })
  const headers = [
    ['Host', 'site.test'],
    ['X-Forwarded-For', '198.51.100.3, 203.0.113.7'],
    ['X-Forwarded-Proto', 'http'],
  ] as const
  const head = { method: 'GET', target: '/', protocol: 'HTTP/1.1', headers }
  await edge.inspect(proxied('/', { head, reportsAnswer: false })).verdict
  await edge.inspect(proxied('/', { head, peerIp: '192.0.2.99', reportsAnswer: false })).verdict
  const seen = records.map(record => [record['ClientIP'], record['ClientRequestScheme']])
  assert.deepEqual(seen, [
    ['198.51.100.3', 'http'],
    ['192.0.2.99', 'https'],
  ])
})

test('malformed requests and unknown hosts are refused', async t => {
  const { edge, records } = await startEdge(t, planFor('http://127.0.0.1:9'))
  const head = (target: string, host: string) => ({
    head: { method: 'GET', target, protocol: 'HTTP/1.1', headers: [['Host', host]] as const },
  })
  const statusOf = async (target: string, host: string) => {
    const verdict = await edge.inspect(proxied('/', head(target, host))).verdict
    return verdict.kind === 'page' ? verdict.status : verdict.kind
  }
  assert.equal(await statusOf('/#x', 'site.test'), 400)
  assert.equal(await statusOf('/', 'elsewhere.example'), 404)
  assert.equal(records.length, 1)
})

test('an edge that closes records the requests that wait for their response', async t => {
  const { edge, records } = await startEdge(t, planFor('http://127.0.0.1:9'))
  await edge.inspect(proxied('/')).verdict
  await edge.close()
  assert.deepEqual(
    records.map(({ WAFFlags }) => WAFFlags),
    ['0x10'],
  )
})
