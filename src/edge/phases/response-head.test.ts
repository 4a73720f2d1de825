import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { test } from 'node:test'
import type { HeaderChange, PlanRule } from '../../rulesets/plan/plan.ts'
import { challengePath } from '../exchange/facts.ts'
import { execution, fakeProgram } from '../testing/fake-program.ts'
import {
  eventually,
  type PlanParts,
  planFor,
  planPhase,
  RawClient,
  rule,
  startEdge,
  startOrigin,
} from '../testing/fixture.ts'

const quiet = { warn: () => {}, error: () => {} }

function changes(list: readonly HeaderChange[], matches?: PlanRule['matches']): PlanRule {
  return rule({ kind: 'rewrite-headers', changes: list }, matches)
}
const set = (name: string, value: string): HeaderChange => ({ operation: 'set', name, value: () => value })
const add = (name: string, value: string): HeaderChange => ({ operation: 'add', name, value: () => value })
const remove = (name: string): HeaderChange => ({ operation: 'remove', name })

const rows: readonly {
  name: string
  rules: readonly PlanRule[]
  want: readonly (readonly [string, string | null])[]
}[] = [
  { name: 'set', rules: [changes([set('X-Old', 'new')])], want: [['x-old', 'new']] },
  { name: 'add', rules: [changes([add('x-old', '3')])], want: [['x-old', '1, 2, 3']] },
  {
    name: 'remove',
    rules: [changes([remove('X-OLD'), remove('Server')])],
    want: [
      ['x-old', null],
      ['server', null],
    ],
  },
  {
    name: 'the last rule wins',
    rules: [changes([set('x-old', 'a')]), changes([set('x-old', 'b')])],
    want: [['x-old', 'b']],
  },
  {
    name: 'by the response of the origin',
    rules: [
      changes([set('x-created', 'yes')], view => view.response?.status === 201),
      changes([set('x-created', 'no')], view => view.response?.status === 200),
    ],
    want: [['x-created', 'yes']],
  },
  {
    name: 'values stay the same for the whole phase',
    rules: [
      changes([remove('server')]),
      changes([set('x-kept', 'yes')], view => view.response!.headers.some(([name]) => name === 'server')),
    ],
    want: [
      ['server', null],
      ['x-kept', 'yes'],
    ],
  },
  {
    name: 'framing and the Ray ID stay',
    rules: [
      changes([
        remove('content-length'),
        set('transfer-encoding', 'x'),
        remove('ray-id'),
        set('cf-ray', '1'),
      ]),
    ],
    want: [
      ['content-length', '4'],
      ['transfer-encoding', null],
      ['cf-ray', null],
    ],
  },
]
for (const { name, rules, want } of rows) {
  test(`rewriting response headers: ${name}`, async t => {
    const origin = await startOrigin(t, (_request, response) => {
      response.writeHead(201, { server: 'inner', 'x-old': ['1', '2'], 'content-length': '4' })
      response.end('body')
    })
    const { url } = await startEdge(t, planFor(origin.url, { responseHeaders: rules }))
    const answer = await fetch(url)
    assert.equal(await answer.text(), 'body')
    for (const [header, value] of want) assert.equal(answer.headers.get(header), value, header)
    assert.match(answer.headers.get('ray-id')!, /^[0-9a-f]{16}$/)
  })
}

const block = rule({ kind: 'action', action: 'block' })
const ownAnswers: readonly { name: string; parts: PlanParts; status: number; errorType: string }[] = [
  { name: 'a block', parts: { custom: [block] }, status: 403, errorType: 'waf' },
  {
    name: 'a block with a custom body',
    parts: {
      custom: [
        rule({
          kind: 'action',
          action: 'block',
          response: { status: 418, content: 'no', contentType: 'text/plain' },
        }),
      ],
    },
    status: 418,
    errorType: 'waf',
  },
  {
    name: 'a challenge',
    parts: { custom: [rule({ kind: 'action', action: 'managed_challenge' })] },
    status: 403,
    errorType: 'managed_challenge',
  },
  {
    name: 'a redirect',
    parts: {
      request: [
        planPhase('http_request_dynamic_redirect', {
          zone: [rule({ kind: 'redirect', status: 302, target: () => '/x', preserveQuery: false })],
        }),
      ],
    },
    status: 302,
    errorType: '',
  },
  { name: 'an origin that is down', parts: {}, status: 502, errorType: '5xx' },
  {
    name: 'an engine that fails',
    parts: { managed: [rule(execution(fakeProgram({ failsIn: 'requestBody' })))] },
    status: 500,
    errorType: '5xx',
  },
]
for (const { name, parts, status, errorType } of ownAnswers) {
  test(`responses of the edge have their headers rewritten: ${name}`, async t => {
    const marks = changes([
      {
        operation: 'set',
        name: 'x-type',
        value: view => `${view.response!.status} ${view.response!.errorType}.`,
      },
    ])
    const plan = planFor('http://127.0.0.1:1', {
      ...parts,
      responseHeaders: [marks],
      response: [rule(execution(fakeProgram({ failsIn: 'responseHeaders' })))],
      logFields: {
        response: [{ name: 'x-type', preserveDuplicates: false }],
        rawResponse: [{ name: 'ray-id', preserveDuplicates: false }],
      },
    })
    const { url, records } = await startEdge(t, plan, { logger: quiet })
    const answer = await fetch(url, { redirect: 'manual' })
    assert.equal(answer.status, status)
    assert.equal(answer.headers.get('x-type'), `${status} ${errorType}.`)
    await eventually(() => records.length === 1)
    assert.deepEqual(records[0]!['ResponseHeaders'], { 'x-type': `${status} ${errorType}.` })
  })
}

test('the response to a malformed request has its headers rewritten', async t => {
  const { port } = await startEdge(
    t,
    planFor('http://127.0.0.1:1', { responseHeaders: [changes([set('x-mark', '1')])] }),
  )
  assert.match(
    await new RawClient(port).send('GET / HTTP/1.1\r\nHost: site.test\r\nbad header: 1\r\n\r\n').end(),
    /^HTTP\/1\.1 400 [\s\S]*x-mark: 1\r\n[\s\S]*Connection: close/,
  )
})

test('responses to solutions of challenges are not rewritten', async t => {
  const { url } = await startEdge(
    t,
    planFor('http://127.0.0.1:1', { responseHeaders: [changes([set('x-mark', '1')])] }),
  )
  assert.equal((await fetch(url + challengePath)).headers.get('x-mark'), null)
})

test('the response to an upgrade has its headers rewritten', async t => {
  const { url: originUrl, server } = await startOrigin(t, () => {})
  server.on('upgrade', (request, socket: Duplex) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    socket.end(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nServer: inner\r\n\r\n`,
    )
  })
  const rules = [
    changes([set('x-mark', '1'), remove('server'), remove('upgrade')], view => view.response?.status === 101),
  ]
  const { port, records } = await startEdge(t, planFor(originUrl, { responseHeaders: rules }))
  const text = await new RawClient(port)
    .send(
      'GET / HTTP/1.1\r\nHost: site.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    )
    .end()
  assert.match(text, /^HTTP\/1\.1 101 [\s\S]*x-mark: 1\r\n[\s\S]*Upgrade: websocket\r\n/)
  assert.doesNotMatch(text, /inner/)
  await eventually(() => records.length === 1)
  assert.equal(records[0]!['EdgeResponseStatus'], 101)
})

test('records have response headers as sent, as received from the origin, and all values', async t => {
  const origin = await startOrigin(t, (_request, response) => {
    response.writeHead(200, { 'x-a': ['1', '2'], 'x-b': 'raw', 'x-c': ['3', '4'] })
    response.end()
  })
  const logFields = {
    response: [{ name: 'x-a', preserveDuplicates: true }],
    rawResponse: [
      { name: 'x-b', preserveDuplicates: false },
      { name: 'x-c', preserveDuplicates: true },
    ],
  }
  const responseHeaders = [changes([add('x-a', 'more'), set('x-b', 'new'), remove('x-c')])]
  const { url, records } = await startEdge(t, planFor(origin.url, { responseHeaders, logFields }))
  await fetch(url)
  await eventually(() => records.length === 1)
  assert.deepEqual(records[0]!['ResponseHeaders'], {
    'x-a': ['1', '2', 'more'],
    'x-b': 'raw',
    'x-c': ['3', '4'],
  })
})

test('a failing response rule is an internal error: 500, counted once, and the page is sent', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('secret'))
  const fails = changes([], () => {
    throw new Error('of ours')
  })
  for (const [parts, status] of [
    [{}, 500],
    [{ custom: [block] }, 500],
  ] as const) {
    const plan = planFor(origin.url, { ...parts, responseHeaders: [fails] })
    const { url, edge, records } = await startEdge(t, plan, { logger: quiet })
    const answer = await fetch(url)
    assert.equal(answer.status, status)
    assert.doesNotMatch(await answer.text(), /secret/)
    assert.equal(edge.stats().internalFailures, 1)
    await eventually(() => records.length === 1)
    assert.equal(records[0]!['EdgeResponseStatus'], status)
  }
})

for (const { name, matches, path, status } of [
  { name: 'about the response, which leaks', matches: 201, path: '/leak', status: 403 },
  { name: 'about another response', matches: 200, path: '/leak', status: 201 },
  { name: 'about the response, which is harmless', matches: 201, path: '/fine', status: 201 },
]) {
  test(`managed response rules whose expression asks ${name}`, async t => {
    const origin = await startOrigin(t, (request, response) => {
      response.writeHead(201)
      response.end(request.url === '/leak' ? 'a leak' : 'nothing')
    })
    const program = fakeProgram()
    const executes = rule(execution(program), view => view.response?.status === matches)
    const { url, records } = await startEdge(t, planFor(origin.url, { response: [executes] }))
    const answer = await fetch(url + path)
    assert.equal(answer.status, status)
    if (status === 201) assert.equal(await answer.text(), path === '/leak' ? 'a leak' : 'nothing')
    await eventually(() => records.length === 1)
    const ran = ['requestHeaders', 'requestBody', 'responseHeaders', 'responseBody', 'logging']
    assert.deepEqual(program.calls, matches === 201 ? ran : [])
    assert.deepEqual(records[0]!['SecurityRuleIDs'], status === 403 ? ['last-rule'] : [])
  })
}

test('skip rules of the response phase', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('a leak'))
  for (const asks of [true, false]) {
    const skip = rule(
      {
        kind: 'skip',
        current: 'ruleset',
        phases: new Set(),
        rulesets: new Set(),
        products: new Set(),
        excepts: false,
        logs: true,
      },
      view => view.path === '/trusted' && (!asks || view.response?.status === 200),
      'skips',
    )
    const plan = planFor(origin.url, { response: [skip, rule(execution(fakeProgram()))] })
    const { url, records } = await startEdge(t, plan)
    assert.equal((await fetch(url)).status, 403)
    assert.equal((await fetch(`${url}/trusted`)).status, 200)
    await eventually(() => records.length === 2)
    assert.deepEqual(records[1]!['SecurityRuleIDs'], ['skips'])
  }
})

test('the engine sees the headers as they are sent', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('x'))
  const program = fakeProgram()
  const parts = {
    responseHeaders: [changes([set('x-mark', '1')])],
    response: [rule(execution(program))],
  }
  const { url } = await startEdge(t, planFor(origin.url, parts))
  await fetch(url)
  assert.ok(program.answers[0]!.some(([name, value]) => name === 'x-mark' && value === '1'))
})
