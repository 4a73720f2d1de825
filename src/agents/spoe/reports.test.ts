import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { AnswerVerdict, ProxiedExchange } from '../../edge/index.ts'
import type { AgentCounts } from '../deps.ts'
import { Reports } from './reports.ts'

const limits = { spoeThreadAnswerMs: 800, passedResponsesToldMs: 60_000 }
const verdict: AnswerVerdict = {
  kind: 'pass',
  rayId: 'a1',
  action: '',
  ruleId: '',
  score: 0,
  headers: { set: [['ray-id', ['a1']]], remove: [] },
}

interface Thread {
  readonly reports: Reports
  readonly counts: AgentCounts
  /** Fields of the lines that it logged. */
  readonly warnings: object[]
}

/** @param answered what its request `a1` answers; undefined: it has no request */
function thread(t: TestContext, answered?: () => AnswerVerdict): Thread {
  const exchange: ProxiedExchange | undefined = answered && {
    rayId: 'a1',
    verdict: new Promise(() => {}),
    answered: async () => answered(),
    abandon: () => {},
  }
  const counts = { responsesPassed: 0 }
  const warnings: object[] = []
  const logger = { warn: (fields: object) => warnings.push(fields) }
  const waiting = (rayId: string) => (rayId === 'a1' ? exchange : undefined)
  const reports = new Reports({ limits, counts, logger, waiting })
  t.after(() => reports.close())
  return { reports, counts, warnings }
}

const report = (rayId: string) => ({ rayId, status: 200, headers: [] })

test('the thread of a request answers its report; without such a thread, the response passes', async t => {
  const { reports, counts } = thread(t)
  thread(t, () => verdict)
  assert.deepEqual(await reports.answered(report('a1')), verdict)
  assert.equal(counts.responsesPassed, 0)
  assert.equal(await reports.answered(report('a2')), undefined)
})

test('responses that pass without their rules are counted, and have one line in the log for many', async t => {
  const { reports, counts, warnings } = thread(t)
  await Promise.all(['a2', 'a3', 'a4'].map(rayId => reports.answered(report(rayId))))
  assert.equal(counts.responsesPassed, 3)
  assert.deepEqual(warnings, [{ responses: 1, ray: 'a2' }])
})

test('an answer that came while the asking thread was busy counts', async t => {
  const { reports, counts } = thread(t)
  thread(t, () => {
    // Both are in this thread, which reads nothing before the time is over.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, limits.spoeThreadAnswerMs + 200)
    return verdict
  })
  assert.deepEqual(await reports.answered(report('a1')), verdict)
  assert.equal(counts.responsesPassed, 0)
})
