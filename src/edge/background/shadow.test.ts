import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { ManagedExecution, PlanRule, ShadowExecution } from '../../rulesets/plan/plan.ts'
import type { EdgeDeps } from '../exchange/deps.ts'
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

interface Watched extends RunningEdge {
  readonly program: FakeProgram
  readonly errors: () => number
}

async function watched(
  t: TestContext,
  shadow: { readonly behaviour?: FakeBehaviour; readonly sampleRate?: number } & Partial<ManagedExecution>,
  parts: PlanParts = {},
  deps: Partial<EdgeDeps> = {},
): Promise<Watched> {
  const { behaviour, sampleRate = 1, ...rest } = shadow
  const program = fakeProgram(behaviour)
  let errors = 0
  const origin = await startOrigin(t, (request, response) => request.pipe(response))
  const watching: ShadowExecution = { sampleRate, paranoiaLevel: 2, execution: execution(program, rest) }
  const edge = await startEdge(t, planFor(origin.url, { ...parts, shadow: watching }), {
    logger: { warn: () => {}, error: () => void errors++ },
    ...deps,
  })
  return { ...edge, program, errors: () => errors }
}

const own = (parts: Partial<ManagedExecution> = {}, behaviour: FakeBehaviour = {}) => ({
  managed: [rule(execution(fakeProgram(behaviour), parts))],
})

const outcome = (changes: object) => ({
  version: '7',
  paranoia_level: 2,
  threshold: 5,
  score: 5,
  would: 'block',
  differs: false,
  ...changes,
})

interface Row {
  readonly name: string
  readonly shadow: Parameters<typeof watched>[1]
  readonly parts?: PlanParts
  readonly status: number
  readonly want: object | undefined
  readonly actions: readonly string[]
}

const skip: PlanRule = rule({
  kind: 'skip',
  current: undefined,
  phases: new Set(),
  rulesets: new Set(['managed-1']),
  products: new Set(),
  excepts: false,
  logs: false,
})

const rows: readonly Row[] = [
  { name: 'both act', shadow: {}, parts: own(), status: 403, want: outcome({}), actions: ['block'] },
  {
    name: 'the shadow alone would act',
    shadow: { action: 'managed_challenge' },
    parts: own({ threshold: 6 }),
    status: 200,
    want: outcome({ would: 'managed_challenge', differs: true }),
    actions: ['log'],
  },
  {
    name: 'the zone alone acts',
    shadow: { threshold: 6 },
    parts: own({ action: 'log' }),
    status: 200,
    want: outcome({ threshold: 6, would: 'none', differs: true }),
    actions: ['log'],
  },
  {
    name: 'neither acts',
    shadow: { threshold: 6 },
    parts: own({ acts: false }),
    status: 200,
    want: outcome({ threshold: 6, would: 'none' }),
    actions: [],
  },
  {
    name: 'the zone has no managed rules',
    shadow: {},
    status: 200,
    want: outcome({ differs: true }),
    actions: ['log'],
  },
  {
    name: 'a rule stops the shadow',
    shadow: { threshold: 6, behaviour: { interruption: { ruleId: 942100, action: 'deny', status: 403 } } },
    status: 200,
    want: outcome({ threshold: 6, differs: true }),
    actions: ['log'],
  },
  {
    name: 'the shadow runs out of work',
    shadow: { threshold: 6, behaviour: { overBudget: true } },
    status: 200,
    want: outcome({ threshold: 6, would: 'none', incomplete: true }),
    actions: [],
  },
  {
    name: 'the request skips the managed ruleset',
    shadow: {},
    parts: { managed: [skip, ...own().managed] },
    status: 200,
    want: undefined,
    actions: [],
  },
  {
    name: 'a rule before the managed ones stops the request',
    shadow: {},
    parts: { custom: [rule({ kind: 'action', action: 'block' })], ...own() },
    status: 403,
    want: undefined,
    actions: ['block'],
  },
  { name: 'nothing is sampled', shadow: { sampleRate: 0 }, status: 200, want: undefined, actions: [] },
  {
    name: 'the shadow takes many turns',
    shadow: { behaviour: { slices: 3 } },
    parts: own(),
    status: 403,
    want: outcome({}),
    actions: ['block'],
  },
]

for (const { name, shadow, parts, status, want, actions } of rows)
  test(`shadow: ${name}`, async t => {
    const { url, audit, events, edge } = await watched(t, shadow, parts)
    const answer = await fetch(`${url}/attack`)
    await answer.arrayBuffer()
    assert.equal(answer.status, status)
    await eventually(() => audit.length === 1)
    assert.deepEqual(audit[0]!['shadow'], want)
    assert.deepEqual(
      events.map(event => event['Action']),
      actions,
    )
    for (const event of events) assert.deepEqual((event['Metadata'] as { shadow?: object }).shadow, want)
    const differs = want !== undefined && 'differs' in want && want.differs === true
    assert.deepEqual(edge.stats().shadows, {
      runs: want === undefined ? 0 : 1,
      differences: differs ? 1 : 0,
      failures: 0,
      leftOut: 0,
    })
  })

test('the shadow sees a streamed body, and the origin receives all of it', async t => {
  const { url, program, audit } = await watched(t, {}, {}, { limits: { inspectedBodyBytesMax: 100_000 } })
  const rows: [bytes: number, complete: boolean][] = [
    [0, true],
    [99_999, true],
    [100_000, true],
    [100_001, false],
    [700_000, false],
  ]
  for (const [index, [bytes, complete]] of rows.entries()) {
    const body = Buffer.alloc(bytes, 'x')
    const answer = await fetch(url, { method: 'POST', body })
    assert.equal((await answer.arrayBuffer()).byteLength, bytes)
    await eventually(() => audit.length === index + 1)
    const seen = program.bodies.at(-1)!
    assert.deepEqual([seen.bytes.length, seen.complete], [Math.min(bytes, 100_000), complete])
  }
})

test('a client has its response before the shadow begins', async t => {
  let busy = true
  const { url, program, records, events } = await watched(t, { behaviour: { busyWhile: () => busy } }, own())
  const answer = await fetch(`${url}/attack`)
  await answer.arrayBuffer()
  assert.equal(answer.status, 403)
  assert.equal(records.length, 1, 'its record does not wait')
  assert.equal(events.length, 0, 'its event does')
  assert.ok(!program.calls.includes('requestBody'))
  busy = false
  await eventually(() => events.length === 1)
})

test('shadows are evaluated one at a time, and a failing one does not block the others', async t => {
  let busy = true
  const behaviour: FakeBehaviour = { busyWhile: () => busy, failsIn: 'requestBody' }
  const { url, program, edge } = await watched(t, { behaviour })
  for (let n = 0; n < 3; n++) await (await fetch(url)).arrayBuffer()
  await eventually(() => program.requests.length === 1)
  await setImmediate()
  assert.equal(program.requests.length, 1)
  busy = false
  await eventually(() => edge.stats().shadows.failures === 3)
  assert.equal(program.requests.length, 3)
})

test('a closing edge records waiting requests without their shadow', async t => {
  let busy = true
  const { url, program, records, edge } = await watched(t, { behaviour: { busyWhile: () => busy } })
  for (let n = 0; n < 3; n++) await (await fetch(url)).arrayBuffer()
  await eventually(() => program.requests.length === 1)
  const closing = edge.close()
  busy = false
  await closing
  assert.equal(records.length, 3)
  assert.deepEqual(edge.stats().shadows, { runs: 1, differences: 0, failures: 0, leftOut: 2 })
})

test('a failing shadow is counted and logged, and has no other effect', async t => {
  for (const failsIn of ['requestHeaders', 'requestBody'] as const) {
    const { url, audit, errors, edge } = await watched(t, { behaviour: { failsIn } }, own())
    assert.equal((await fetch(url)).status, 200)
    await eventually(() => audit.length === 1)
    assert.equal(audit[0]!['shadow'], undefined)
    assert.equal(errors(), 1)
    assert.deepEqual(edge.stats().shadows, { runs: 0, differences: 0, failures: 1, leftOut: 0 })
    assert.equal(edge.stats().internalFailures, 0)
  }
})

test('requests beyond the limit have no shadow', async t => {
  for (const limits of [{ shadowsMax: 0 }, { shadowBytesMax: 4 }]) {
    const { url, audit, edge } = await watched(t, {}, {}, { limits })
    await (await fetch(url, { method: 'POST', body: '12345' })).arrayBuffer()
    await eventually(() => audit.length === 1)
    assert.deepEqual(edge.stats().shadows, { runs: 0, differences: 0, failures: 0, leftOut: 1 })
  }
  const { url, edge } = await watched(t, {}, {}, { limits: { shadowsMax: 1, shadowBytesMax: 5 } })
  for (let n = 1; n <= 3; n++) {
    await (await fetch(url, { method: 'POST', body: '12345' })).arrayBuffer()
    await eventually(() => edge.stats().shadows.runs === n)
  }
})
