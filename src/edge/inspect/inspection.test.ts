import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PlanAction } from '../../rulesets/plan/plan.ts'
import { execution, type FakeBehaviour, fakeProgram, type Phase } from '../testing/fake-program.ts'
import { eventually, planFor, RawClient, rule, startEdge, startOrigin } from '../testing/fixture.ts'

/** Rules that take several turns of the event loop, and evaluations that are not completed. */

const quiet = { warn: () => {}, error: () => {} }
const echo = (t: TestContext) => startOrigin(t, (request, response) => request.pipe(response))

test('an engine that takes many turns has the same input and result', async t => {
  const origin = await startOrigin(t, (request, response) => {
    if (request.url === '/leak') response.end('a leak')
    else request.pipe(response)
  })
  const program = fakeProgram({ slices: 3 })
  const parts = { managed: [rule(execution(program))], response: [rule(execution(program))] }
  const { url, audit } = await startEdge(t, planFor(origin.url, parts))
  const body = 'x'.repeat(400_000)
  const rows = [
    ['', { method: 'POST', body }, 200, body],
    ['', { method: 'POST', body: 'attack' }, 403, undefined],
    ['attack', {}, 403, undefined],
    ['leak', {}, 403, undefined],
    ['', {}, 200, ''],
  ] as const
  for (const [path, init, status, text] of rows) {
    const answer = await fetch(`${url}/${path}`, init)
    assert.equal(answer.status, status, path)
    if (text !== undefined) assert.equal(await answer.text(), text)
    else await answer.text()
  }
  await eventually(() => audit.length === rows.length)
  assert.equal(program.bodies[0]!.bytes.toString(), body)
})

test('a long response is inspected and passes completely while the engine is slow', async t => {
  const body = Buffer.alloc(700_000, 'y')
  const origin = await startOrigin(t, (_request, response) => response.end(body))
  const program = fakeProgram({ slices: 5 })
  const { url } = await startEdge(t, planFor(origin.url, { response: [rule(execution(program))] }), {
    limits: { inspectedResponseBytesMax: 100 },
  })
  assert.deepEqual(Buffer.from(await (await fetch(url)).arrayBuffer()), body)
  assert.deepEqual(program.bodies.at(-1), { bytes: body.subarray(0, 100), complete: false })
})

test('the rules stop when a client leaves; its request is recorded and not forwarded', async t => {
  let asked = 0
  const origin = await startOrigin(t, (_request, response) => {
    asked++
    response.end()
  })
  let busy = true
  const program = fakeProgram({ busyWhile: () => busy })
  const { port, records, edge } = await startEdge(
    t,
    planFor(origin.url, { managed: [rule(execution(program))] }),
  )
  const client = new RawClient(port).send('GET / HTTP/1.1\r\nHost: site.test\r\n\r\n')
  await eventually(() => program.requests.length === 1)
  client.socket.resetAndDestroy()
  await eventually(() => program.calls.length === 1)
  busy = false
  await eventually(() => records.length === 1)
  // The fake program checks that phases do not overlap.
  assert.deepEqual(program.calls, ['requestHeaders given up', 'logging'])
  assert.equal(records[0]!['EdgeResponseStatus'], 499)
  assert.equal(asked, 0)
  assert.equal(edge.stats().active, 0)
})

test('response rules stop when a client leaves', async t => {
  const origin = await startOrigin(t, (_request, response) => {
    busy = true
    response.end('a page')
  })
  let busy = false
  const program = fakeProgram({ busyWhile: () => busy })
  const { port, records } = await startEdge(t, planFor(origin.url, { response: [rule(execution(program))] }))
  const client = new RawClient(port).send('GET / HTTP/1.1\r\nHost: site.test\r\n\r\n')
  await eventually(() => busy)
  await sleep(50)
  client.socket.resetAndDestroy()
  await eventually(() => program.calls.length === 3)
  busy = false
  await eventually(() => records.length === 1)
  assert.deepEqual(program.calls.slice(2), ['responseHeaders given up', 'logging'])
  assert.equal(records[0]!['EdgeResponseStatus'], 499)
})

for (const [drainMs, answered] of [
  [5000, true],
  [1, false],
] as const) {
  test(`closing within ${drainMs} ms during an inspection: answered ${answered}`, async t => {
    const origin = await echo(t)
    let busy = true
    const program = fakeProgram({ busyWhile: () => busy })
    const plan = planFor(origin.url, { managed: [rule(execution(program))] })
    const { port, edge, records } = await startEdge(t, plan, { limits: { drainMs } })
    const client = new RawClient(port).send('GET / HTTP/1.1\r\nHost: site.test\r\n\r\n')
    await eventually(() => program.requests.length === 1)
    const closing = edge.close()
    if (!answered) await client.end()
    else await sleep(50)
    busy = false
    await closing
    await eventually(() => records.length === 1)
    assert.equal(records[0]!['EdgeResponseStatus'], answered ? 200 : 499)
  })
}

test('input after a malformed request does not affect its inspection', async t => {
  const program = fakeProgram({ slices: 50 })
  const { port, audit } = await startEdge(
    t,
    planFor('http://127.0.0.1:1', { managed: [rule(execution(program))] }),
  )
  const client = new RawClient(port).send('GET / HTTP/1.1\r\nHost: site.test\r\nbad header\r\n\r\n')
  await eventually(() => program.requests.length === 1)
  client.send('more of it\r\n\r\n')
  assert.equal((await client.end()).split('HTTP/1.1 400').length, 2)
  await eventually(() => audit.length > 0)
  assert.deepEqual([program.requests.length, audit.length], [1, 1])
})

test('every run receives the body in parts, up to the limit of its engine', async t => {
  const origin = await echo(t)
  const [short, long] = [fakeProgram({ requestBodyBytesMax: 4 }), fakeProgram()]
  const managed = [rule(execution(short)), rule(execution(long))]
  const { port } = await startEdge(t, planFor(origin.url, { managed }))
  const client = new RawClient(port).send(
    'POST / HTTP/1.1\r\nHost: site.test\r\nContent-Length: 9\r\n\r\nabc',
  )
  await eventually(() => short.calls.length === 1)
  await client.send('def').until('')
  await eventually(() => short.bodies.length === 1)
  client.send('ghi')
  assert.match(await client.until('ghi'), /abcdefghi/)
  assert.deepEqual(short.bodies, [{ bytes: Buffer.from('abcd'), complete: false }])
  assert.deepEqual(long.bodies, [{ bytes: Buffer.from('abcdefghi'), complete: true }])
})

interface Incomplete {
  readonly name: string
  readonly behaviour: FakeBehaviour
  readonly onIncomplete?: 'block' | 'allow'
  readonly action?: PlanAction
  readonly acts?: boolean
  readonly side?: 'managed' | 'response'
  readonly attack?: boolean
  readonly status: number
  readonly counted: 'block' | 'allow'
}

const fails = (failsIn: Phase): FakeBehaviour => ({ failsIn })
const rows: readonly Incomplete[] = [
  { name: 'over budget', behaviour: { overBudget: true }, status: 500, counted: 'block' },
  {
    name: 'over budget, allowed',
    behaviour: { overBudget: true },
    onIncomplete: 'allow',
    status: 200,
    counted: 'allow',
  },
  {
    name: 'over budget with the score reached',
    behaviour: { overBudget: true },
    onIncomplete: 'allow',
    attack: true,
    status: 403,
    counted: 'block',
  },
  {
    name: 'over budget with the score missed',
    behaviour: { overBudget: true, score: 4 },
    attack: true,
    status: 500,
    counted: 'block',
  },
  {
    name: 'over budget, only logging',
    behaviour: { overBudget: true },
    action: 'log',
    status: 200,
    counted: 'allow',
  },
  {
    name: 'over budget, without its last rule',
    behaviour: { overBudget: true },
    acts: false,
    status: 200,
    counted: 'allow',
  },
  {
    name: 'over budget, challenging',
    behaviour: { overBudget: true },
    action: 'managed_challenge',
    status: 500,
    counted: 'block',
  },
  {
    name: 'over budget before the response',
    behaviour: { overBudget: true },
    side: 'response',
    status: 500,
    counted: 'block',
  },
  { name: 'failure in phase 1', behaviour: fails('requestHeaders'), status: 500, counted: 'block' },
  { name: 'failure in phase 2', behaviour: fails('requestBody'), status: 500, counted: 'block' },
  {
    name: 'failure after a slice',
    behaviour: { failsIn: 'requestBody', slices: 2 },
    status: 500,
    counted: 'block',
  },
  {
    name: 'failure, allowed',
    behaviour: fails('requestBody'),
    onIncomplete: 'allow',
    status: 200,
    counted: 'allow',
  },
  {
    name: 'failure, only logging',
    behaviour: fails('requestBody'),
    action: 'log',
    status: 200,
    counted: 'allow',
  },
  ...(['requestBody', 'responseHeaders', 'responseBody'] as const).flatMap((phase): Incomplete[] => [
    {
      name: `failure on the answer's side, ${phase}`,
      behaviour: fails(phase),
      side: 'response',
      status: 500,
      counted: 'block',
    },
    {
      name: `failure on the answer's side, ${phase}, allowed`,
      behaviour: { failsIn: phase, slices: 2 },
      side: 'response',
      onIncomplete: 'allow',
      status: 200,
      counted: 'allow',
    },
  ]),
  { name: 'failure in the logging phase', behaviour: fails('logging'), status: 200, counted: 'allow' },
]
for (const { name, behaviour, onIncomplete = 'block', attack, status, counted, ...run } of rows) {
  test(`not evaluated completely: ${name}`, async t => {
    const origin = await echo(t)
    const planned = execution(fakeProgram(behaviour), {
      action: run.action ?? 'block',
      acts: run.acts ?? true,
    })
    const plan = planFor(origin.url, { [run.side ?? 'managed']: [rule(planned)] })
    const { url, edge, records, audit } = await startEdge(t, plan, { onIncomplete, logger: quiet })
    const answer = await fetch(url, { method: 'POST', body: attack ? 'attack' : 'harmless' })
    assert.equal(answer.status, status)
    const text = await answer.text()
    if (status === 200) assert.equal(text, attack ? 'attack' : 'harmless')
    await eventually(() => records.length === 1)
    const reason = behaviour.overBudget ? 'budget' : 'error'
    assert.equal(audit[0]!['incomplete'], reason)
    assert.equal(records[0]!['WAFFlags'], '0x4')
    assert.equal(records[0]!['SecurityAction'], counted === 'block' ? 'block' : '')
    assert.equal(records[0]!['SecurityRuleID'], counted === 'block' ? 'last-rule' : '')
    const { incomplete, internalFailures, originFailures } = edge.stats()
    const other = counted === 'block' ? 'allow' : 'block'
    assert.deepEqual(incomplete, {
      budget: { block: 0, allow: 0 },
      error: { block: 0, allow: 0 },
      [reason]: { [counted]: 1, [other]: 0 },
    })
    assert.equal(internalFailures, reason === 'error' && status === 500 ? 1 : 0)
    assert.equal(originFailures, 0)
  })
}
