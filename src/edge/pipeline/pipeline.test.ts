import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlanAction } from '../../rulesets/plan/plan.ts'
import { execution, fakeProgram } from '../testing/fake-program.ts'
import { eventually, planFor, RawClient, rule, startEdge, startOrigin } from '../testing/fixture.ts'

const echo = async (t: Parameters<typeof startOrigin>[0]) =>
  startOrigin(t, (request, response) => {
    response.setHeader('content-type', 'text/plain')
    request.pipe(response)
  })

test('a custom block is 403 with a page, or JSON on request', async t => {
  const blocking = rule({ kind: 'action', action: 'block' }, view => view.path === '/no')
  const { url, records, audit, edge } = await startEdge(
    t,
    planFor('http://127.0.0.1:1', { custom: [blocking] }),
  )
  const page = await fetch(`${url}/no?<b>`, { headers: { accept: 'text/html' } })
  assert.equal(page.status, 403)
  assert.match(page.headers.get('content-type')!, /text\/html/)
  assert.ok((await page.text()).includes(page.headers.get('ray-id')!))
  const json = await fetch(`${url}/no`, { headers: { accept: 'application/json, */*;q=0.1' } })
  assert.equal(((await json.json()) as { error: string }).error, 'block')
  await eventually(() => records.length === 2)
  assert.deepEqual(
    [
      'SecurityAction',
      'SecurityActions',
      'SecurityRuleID',
      'SecurityRuleIDs',
      'SecuritySources',
      'SecurityRuleDescription',
    ].map(name => records[0]![name]),
    ['block', ['block'], 'rule-1', ['rule-1'], ['firewallCustom'], 'description of rule-1'],
  )
  assert.equal(records[0]!['OriginResponseStatus'], 0)
  assert.equal(audit[0]!['action'], 'block')
  assert.equal(edge.stats().blocked, 2)
})

test('a block rule can have a custom response', async t => {
  const response = { status: 418, content: '{"tea":true}', contentType: 'application/json' }
  const own = rule({ kind: 'action', action: 'block', response }, () => true)
  const { url, records } = await startEdge(t, planFor('http://127.0.0.1:1', { custom: [own] }))
  const answer = await fetch(url, { headers: { accept: 'text/html' } })
  assert.equal(answer.status, 418)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.match(answer.headers.get('ray-id')!, /^[0-9a-f]{16}/)
  assert.equal(await answer.text(), response.content)
  await eventually(() => records.length === 1)
  assert.deepEqual(records[0]!['SecurityActions'], ['block'])
})

test('log continues; the first terminating action ends the phases', async t => {
  const log = rule({ kind: 'action', action: 'log' }, () => true, 'logs')
  const block = rule({ kind: 'action', action: 'block' }, () => true, 'blocks')
  const never = rule(
    { kind: 'action', action: 'block' },
    () => assert.fail('evaluated after the end'),
    'never',
  )
  const { url, records } = await startEdge(
    t,
    planFor('http://127.0.0.1:1', { custom: [log, block, never], managed: [never] }),
  )
  assert.equal((await fetch(url)).status, 403)
  await eventually(() => records.length === 1)
  assert.deepEqual(records[0]!['SecurityRuleIDs'], ['logs', 'blocks'])
  assert.deepEqual(records[0]!['SecurityActions'], ['log', 'block'])
})

const thresholds: readonly {
  name: string
  score: number
  threshold: number
  action: PlanAction
  acts?: boolean
  want: number
}[] = [
  { name: 'below the threshold', score: 4, threshold: 5, action: 'block', want: 200 },
  { name: 'at the threshold', score: 5, threshold: 5, action: 'block', want: 403 },
  { name: 'above the threshold', score: 6, threshold: 5, action: 'block', want: 403 },
  { name: 'log', score: 6, threshold: 5, action: 'log', want: 200 },
  { name: 'last rule off', score: 6, threshold: 5, action: 'block', acts: false, want: 200 },
  { name: 'challenge', score: 6, threshold: 5, action: 'managed_challenge', want: 403 },
]
for (const { name, score, threshold, action, acts, want } of thresholds) {
  test(`managed ruleset: ${name}`, async t => {
    const origin = await echo(t)
    const program = fakeProgram({ score })
    const managed = [rule(execution(program, { threshold, action, acts: acts ?? true }))]
    const { url, records, audit } = await startEdge(t, planFor(origin.url, { managed }))
    const response = await fetch(url, { method: 'POST', body: 'an attack' })
    assert.equal(response.status, want)
    if (want === 200) assert.equal(await response.text(), 'an attack')
    await eventually(() => audit.length === 1)
    assert.deepEqual(program.calls, ['requestHeaders', 'requestBody', 'logging'])
    assert.deepEqual([audit[0]!['score'], audit[0]!['threshold']], [score, threshold])
    const reached = score >= threshold && acts !== false
    assert.deepEqual(records[0]!['SecurityRuleIDs'], reached ? ['last-rule'] : [])
    assert.equal(records[0]!['SecurityRuleID'], want === 403 ? 'last-rule' : '')
    assert.equal(records[0]!['WAFFlags'], reached && action === 'log' ? '0x1' : '')
    assert.equal(records[0]!['WAFMatchedVar'], 'REQUEST_BODY')
    assert.deepEqual(records[0]!['MatchedRules'], [
      {
        product: 'firewallManaged',
        rulesetId: 'managed-1',
        rulesetVersion: 7,
        rules: [
          { id: 'id-of-942100', metadata: { ref: '942100', score: String(score), target: 'REQUEST_BODY' } },
        ],
      },
    ])
  })
}

test('the name of an argument cannot make a record arbitrarily long', async t => {
  const origin = await echo(t)
  const program = fakeProgram({ bodyTarget: `ARGS:${'ä'.repeat(600_000)}` })
  const { url, records, audit } = await startEdge(
    t,
    planFor(origin.url, { managed: [rule(execution(program))] }),
  )
  assert.equal((await fetch(url, { method: 'POST', body: 'an attack' })).status, 403)
  await eventually(() => audit.length === 1 && records.length === 1)
  assert.match(String(records[0]!['WAFMatchedVar']), /^ARGS:/)
  assert.ok(Buffer.byteLength(String(records[0]!['WAFMatchedVar'])) <= 256)
  assert.ok(Buffer.byteLength(JSON.stringify(records[0])) < 8192)
  assert.ok(Buffer.byteLength(JSON.stringify(audit[0])) < 8192)
})

test('a body that no rule inspects is streamed', async t => {
  const origin = await echo(t)
  const program = fakeProgram({ wantsRequestBody: false })
  const { url } = await startEdge(t, planFor(origin.url, { managed: [rule(execution(program))] }))
  assert.equal(await (await fetch(url, { method: 'POST', body: 'an attack' })).text(), 'an attack')
  assert.deepEqual(program.bodies, [{ bytes: Buffer.alloc(0), complete: true }])
})

for (const length of [99, 100, 101, 200_000]) {
  test(`inspection limit of 100 bytes, body of ${length}`, async t => {
    const origin = await echo(t)
    const program = fakeProgram()
    const managed = [rule(execution(program)), rule(execution(program))]
    const { url, records, audit } = await startEdge(t, planFor(origin.url, { managed }), {
      limits: { inspectedBodyBytesMax: 100 },
    })
    const body = 'x'.repeat(length)
    assert.equal(await (await fetch(url, { method: 'POST', body })).text(), body)
    const given = { bytes: Buffer.from(body.slice(0, 100)), complete: length <= 100 }
    assert.deepEqual(program.bodies, [given, given])
    await eventually(() => records.length === 1)
    assert.equal(records[0]!['WAFFlags'], length <= 100 ? '' : '0x2')
    assert.equal(audit[0]!['partial'], length <= 100 ? undefined : true)
  })
}

test('an early response to a long body reaches the client, and the connection stays open', async t => {
  const managed = [rule(execution(fakeProgram()))]
  const { port, edge } = await startEdge(t, planFor('http://127.0.0.1:1', { managed }), {
    limits: { inspectedBodyBytesMax: 100 },
  })
  const client = new RawClient(port)
  const body = `attack${'x'.repeat(300_000)}`
  client.send(
    `POST / HTTP/1.1\r\nHost: site.test\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 200_000)}`,
  )
  await client.until('403 Forbidden')
  client.send(body.slice(200_000))
  client.send('GET /attack HTTP/1.1\r\nHost: site.test\r\n\r\n')
  await eventually(() => edge.stats().blocked === 2)
})

test('an early response to an endless body closes the connection', async t => {
  const managed = [rule(execution(fakeProgram()))]
  const limits = { inspectedBodyBytesMax: 100, lingerMs: 100 }
  const { port } = await startEdge(t, planFor('http://127.0.0.1:1', { managed }), { limits })
  const client = new RawClient(port)
  client.send(
    `POST /attack HTTP/1.1\r\nHost: site.test\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(1000)}`,
  )
  assert.match(await client.end(), /403 Forbidden/)
})

const interruptions: readonly {
  name: string
  action: PlanAction
  acts: boolean
  want: number
  recorded: string
}[] = [
  { name: 'deny', action: 'block', acts: true, want: 400, recorded: 'block' },
  { name: 'only logged', action: 'log', acts: true, want: 200, recorded: '' },
  { name: 'off', action: 'block', acts: false, want: 200, recorded: '' },
]
for (const { name, action, acts, want, recorded } of interruptions) {
  test(`interruption: ${name}`, async t => {
    const origin = await echo(t)
    const program = fakeProgram({ interruption: { ruleId: 942100, action: 'deny', status: 400 } })
    const { url, records } = await startEdge(
      t,
      planFor(origin.url, { managed: [rule(execution(program, { action, acts }))] }),
    )
    assert.equal((await fetch(url)).status, want)
    await eventually(() => records.length === 1)
    assert.equal(records[0]!['SecurityAction'], recorded)
    assert.deepEqual(records[0]!['SecurityRuleIDs'], acts ? ['id-of-942100'] : [])
  })
}

test('interruption: redirect and drop', async t => {
  const redirecting = fakeProgram({
    interruption: { ruleId: 1, action: 'redirect', status: 302, location: '/else where' },
  })
  const dropping = fakeProgram({ interruption: { ruleId: 1, action: 'drop', status: 403 } })
  const managed = [
    rule(execution(redirecting), view => view.path === '/redirect'),
    rule(execution(dropping), view => view.path === '/drop'),
  ]
  const { url, port, records } = await startEdge(t, planFor('http://127.0.0.1:1', { managed }))
  const response = await fetch(`${url}/redirect`, { redirect: 'manual' })
  assert.equal(response.status, 302)
  assert.equal(response.headers.get('location'), '/else%20where')
  assert.equal(await new RawClient(port).send('GET /drop HTTP/1.1\r\nHost: site.test\r\n\r\n').end(), '')
  await eventually(() => records.length === 2)
  assert.deepEqual([records[1]!['SecurityAction'], records[1]!['EdgeResponseStatus']], ['connectionClose', 0])
})

test('response rules see the response and can stop it', async t => {
  let encoding: unknown
  const origin = await startOrigin(t, (request, response) => {
    encoding = request.headers['accept-encoding']
    response.end(request.url === '/leak' ? 'a leak' : 'harmless')
  })
  const program = fakeProgram()
  const { url, records } = await startEdge(t, planFor(origin.url, { response: [rule(execution(program))] }))
  assert.equal(await (await fetch(url)).text(), 'harmless')
  assert.equal(encoding, 'identity')
  assert.deepEqual(program.calls.slice(0, 4), [
    'requestHeaders',
    'requestBody',
    'responseHeaders',
    'responseBody',
  ])
  const stopped = await fetch(`${url}/leak`)
  assert.equal(stopped.status, 403)
  assert.doesNotMatch(await stopped.text(), /a leak/)
  await eventually(() => records.length === 2)
  assert.equal(records[1]!['SecurityRuleID'], 'last-rule')
  assert.equal(records[1]!['OriginResponseStatus'], 200)
})

for (const length of [100, 101, 500_000]) {
  test(`response inspection limit of 100 bytes, response of ${length}`, async t => {
    const body = 'y'.repeat(length)
    const origin = await startOrigin(t, (_request, response) => response.end(body))
    const program = fakeProgram()
    const { url } = await startEdge(t, planFor(origin.url, { response: [rule(execution(program))] }), {
      limits: { inspectedResponseBytesMax: 100 },
    })
    assert.equal(await (await fetch(url)).text(), body)
    assert.deepEqual(program.bodies.at(-1), {
      bytes: Buffer.from(body.slice(0, 100)),
      complete: length <= 100,
    })
  })
}

test('an internal error is 500, counted, and nothing passes', async t => {
  let asked = false
  const origin = await startOrigin(t, (_request, response) => {
    asked = true
    response.end()
  })
  const broken = rule({ kind: 'action', action: 'block' }, () => {
    throw new Error('broken rule')
  })
  const { url, edge } = await startEdge(t, planFor(origin.url, { custom: [broken] }), {
    logger: { warn: () => {}, error: () => {} },
  })
  assert.equal((await fetch(url)).status, 500)
  assert.equal(asked, false)
  assert.equal(edge.stats().internalFailures, 1)
})

test('an internal error in a response rule is 500', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('unchecked'))
  const program = fakeProgram()
  const begin: typeof program.begin = (request, mask) => ({
    ...program.begin(request, mask),
    responseBody: () => assert.fail('broken rule'),
  })
  const response = [rule(execution({ ...program, begin }))]
  const { url, edge } = await startEdge(t, planFor(origin.url, { response }), {
    logger: { warn: () => {}, error: () => {} },
  })
  const answer = await fetch(url)
  assert.equal(answer.status, 500)
  assert.doesNotMatch(await answer.text(), /unchecked/)
  assert.deepEqual([edge.stats().internalFailures, edge.stats().originFailures], [1, 0])
})

test('hosts of no zone get 404 and no record', async t => {
  const { port, records, audit, edge } = await startEdge(t, planFor('http://127.0.0.1:1'))
  const client = new RawClient(port).send('GET / HTTP/1.1\r\nHost: other.example\r\n\r\n')
  await client.until('404 Not Found')
  await eventually(() => audit.length === 1)
  assert.deepEqual([records.length, audit[0]!['zone'], edge.stats().unknownHosts], [0, '', 1])
})
