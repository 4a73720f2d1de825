import assert from 'node:assert/strict'
import type { RequestListener, ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { WhatIfSample } from '../../model/what-if-sample.ts'
import type { EveryLevel, ManagedExecution, PlanRule, SkippedRules } from '../../rulesets/plan/plan.ts'
import type { EdgeDeps } from '../exchange/deps.ts'
import { edgeSampleLimits } from '../limits.ts'
import { execution, type FakeBehaviour, type FakeProgram, fakeProgram } from '../testing/fake-program.ts'
import {
  eventually,
  type PlanParts,
  planFor,
  type RunningEdge,
  rule,
  startEdge,
  startOrigin,
} from '../testing/fixture.ts'

interface Sampled extends RunningEdge {
  readonly program: FakeProgram
}

async function sampled(
  t: TestContext,
  own: { readonly behaviour?: FakeBehaviour; readonly everyLevel?: Partial<EveryLevel> } & Omit<
    Partial<ManagedExecution>,
    'everyLevel'
  >,
  parts: PlanParts = {},
  deps: Partial<EdgeDeps> = {},
  answer: RequestListener = (request, response) => void request.pipe(response),
): Promise<Sampled> {
  const { behaviour, everyLevel, ...rest } = own
  const program = fakeProgram(behaviour)
  const origin = await startOrigin(t, answer)
  const made = execution(program, { threshold: 6, ...rest })
  const run = { ...made, everyLevel: { ...made.everyLevel, ...everyLevel } }
  const plan = planFor(origin.url, { managed: [rule(run)], sampleRate: 1, ...parts })
  const edge = await startEdge(t, plan, { logger: { warn: () => {}, error: () => {} }, ...deps })
  return { ...edge, program }
}

async function send(url: string, init: RequestInit = {}): Promise<number> {
  const answer = await fetch(`${url}/a/attack?token=x`, init)
  await answer.arrayBuffer()
  return answer.status
}

const match = (level: number) => ['id-of-942100', '942100', level, 5]

interface Row {
  readonly name: string
  readonly own: Parameters<typeof sampled>[1]
  readonly status: number
  readonly want: Partial<WhatIfSample>
}

const rows: readonly Row[] = [
  {
    name: 'a rule that is on at every level',
    own: {},
    status: 200,
    want: { scores: [5, 5, 5, 5], rules: [match(1)] as never, stops: 0, action: '', incomplete: false },
  },
  {
    name: 'a rule that is on from level 3',
    own: { everyLevel: { levels: Uint8Array.of(3, 0) } },
    status: 200,
    want: { scores: [0, 0, 5, 5], rules: [match(3)] as never },
  },
  {
    name: 'the action of the zone',
    own: { threshold: 5 },
    status: 403,
    want: { scores: [5, 5, 5, 5], action: 'block' },
  },
  {
    name: 'a rule that stops the request directly',
    own: {
      everyLevel: { levels: Uint8Array.of(2, 0) },
      behaviour: { interruption: { ruleId: 942100, action: 'deny', status: 403 } },
    },
    status: 403,
    want: { stops: 2 },
  },
  {
    name: 'a rule without a level that stops the request',
    own: { behaviour: { interruption: { ruleId: 200002, action: 'deny', status: 400 } } },
    status: 400,
    want: { stops: 1 },
  },
  {
    name: 'the work budget',
    own: { behaviour: { overBudget: true }, action: 'log' },
    status: 200,
    want: { incomplete: true },
  },
]

for (const isOwn of [true, false])
  for (const { name, own, status, want } of rows)
    test(`sample, ${isOwn ? 'of the own run' : 'evaluated once more'}: ${name}`, async t => {
      const parts = { ...own, everyLevel: { ...own.everyLevel, isOwn } }
      const { url, samples, records, program, edge } = await sampled(t, parts)
      assert.equal(await send(url), status)
      await eventually(() => samples.length === 1)
      const [sample] = samples
      for (const [key, value] of Object.entries(want))
        assert.deepEqual(sample![key as keyof WhatIfSample], value, key)
      const { ray, client, host, method, path, country, rate, leftOut, cpuMicros, time } = sample!
      assert.deepEqual(
        { ray, client, host: host.replace(/:\d+$/, ''), method, path, country, rate, leftOut },
        {
          ray: records[0]!['RayID'],
          client: '127.0.0.1',
          host: '127.0.0.1',
          method: 'GET',
          path: '/a/attack',
          country: 'xx',
          rate: 1,
          leftOut: 0,
        },
      )
      assert.ok(Math.abs(time - Date.now()) < 60_000)
      assert.equal(cpuMicros > 0, !isOwn)
      assert.equal(program.requests.length, isOwn ? 1 : 2)
      await eventually(() => edge.stats().active === 0)
      assert.deepEqual(edge.stats().samples, { written: 1, failures: 0, leftOut: 0 })
    })

test('a second evaluation sees the whole body', async t => {
  const { url, samples, program } = await sampled(t, { threshold: 99, everyLevel: { isOwn: false } })
  const body = `${'x'.repeat(40_000)}attack`
  assert.equal(await send(url, { method: 'POST', body }), 200)
  await eventually(() => samples.length === 1)
  assert.deepEqual(
    program.bodies.map(({ bytes, complete }) => [bytes.length, complete]),
    [
      [body.length, true],
      [body.length, true],
    ],
  )
})

const skipLast = (lastRule: boolean): ReadonlyMap<string, SkippedRules> =>
  new Map([['skip', { exception: {} as never, lastRule }]])
const skip = (parts: object): PlanRule =>
  rule(
    {
      kind: 'skip',
      current: undefined,
      phases: new Set(),
      rulesets: new Set(),
      products: new Set(),
      excepts: true,
      logs: false,
      ...parts,
    },
    () => true,
    'skip',
  )

test('skip rules of the zone apply: skipped rules, the last rule, the whole ruleset', async t => {
  for (const [exceptions, skipRule, want] of [
    [skipLast(false), skip({}), [[5, 5, 5, 5]]],
    [skipLast(true), skip({}), [[0, 0, 0, 0]]],
    [skipLast(false), skip({ rulesets: new Set(['managed-1']) }), []],
  ] as const) {
    const program = fakeProgram()
    const own = { ...execution(program, { exceptions }), threshold: 6 }
    const everyLevel = { ...own.everyLevel, isOwn: false }
    const { url, samples, edge, records } = await sampled(
      t,
      {},
      { managed: [skipRule, rule({ ...own, everyLevel })] },
    )
    await send(url)
    await eventually(() => records.length === 1 && edge.stats().active === 0)
    assert.deepEqual(
      samples.map(({ scores }) => scores),
      want,
    )
    if (want.length > 0) assert.deepEqual(program.exceptions[1], [exceptions.get('skip')!.exception])
  }
})

test('nothing is sampled at a rate of 0, without a managed ruleset, and before it', async t => {
  for (const parts of [
    { sampleRate: 0 },
    { managed: [] },
    { custom: [rule({ kind: 'action', action: 'block' })] },
  ] as const) {
    const { url, samples, edge, records } = await sampled(t, { everyLevel: { isOwn: false } }, parts)
    await send(url)
    await eventually(() => records.length === 1 && edge.stats().active === 0)
    assert.equal(samples.length, 0)
  }
})

test('an account and a zone that execute the ruleset make one sample', async t => {
  const one = rule(execution(fakeProgram(), { threshold: 6 }))
  const { url, samples, edge, records } = await sampled(t, {}, { managed: [one, one] })
  await send(url)
  await eventually(() => records.length === 1 && edge.stats().active === 0)
  assert.equal(samples.length, 1)
})

test('samples beyond the limit are counted, and the next sample reports them', async t => {
  let busy = true
  const { url, samples, edge } = await sampled(
    t,
    { everyLevel: { isOwn: false }, behaviour: { busyWhile: () => busy } },
    {},
    { limits: { shadowsMax: 1 } },
  )
  const first = send(url)
  await eventually(() => edge.stats().active === 1)
  const second = send(url)
  await eventually(() => edge.stats().samples.leftOut === 1)
  busy = false
  await Promise.all([first, second])
  await eventually(() => samples.length === 1)
  assert.equal(samples[0]!.leftOut, 1)
  await eventually(() => edge.stats().active === 0)
  await send(url)
  await eventually(() => samples.length === 2)
  assert.equal(samples[1]!.leftOut, 0)
})

test('long responses lose their samples to newer requests', async t => {
  const open: ServerResponse[] = []
  const { url, samples, edge } = await sampled(
    t,
    { threshold: 99, everyLevel: { isOwn: false } },
    {},
    {},
    (request, response) => {
      response.flushHeaders()
      if (request.url!.startsWith('/stream')) open.push(response)
      else response.end()
    },
  )
  const streams = await Promise.all(
    Array.from({ length: edgeSampleLimits.waitingMax }, () => fetch(`${url}/stream/attack`)),
  )
  assert.equal(edge.stats().samples.leftOut, 0)
  assert.equal(await send(url), 200)
  await eventually(() => samples.length === 1)
  assert.deepEqual([samples[0]!.path, samples[0]!.leftOut], ['/a/attack', 1])
  for (const response of open) response.end()
  await Promise.all(streams.map(stream => stream.arrayBuffer()))
  await eventually(() => edge.stats().active === 0)
  assert.deepEqual(edge.stats().samples, { written: streams.length, failures: 0, leftOut: 1 })
})

test('a failing engine is counted and does not affect the request', async t => {
  const { url, samples, edge } = await sampled(
    t,
    { everyLevel: { isOwn: false }, behaviour: { failsIn: 'requestBody' } },
    {},
    { onIncomplete: 'allow' },
  )
  assert.equal(await send(url), 200)
  await eventually(() => edge.stats().samples.failures === 1 && edge.stats().active === 0)
  assert.equal(samples.length, 0)
})
