import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { AnswerVerdict, ProxiedExchange } from '../../edge/index.ts'
import { Reports } from './reports.ts'

const limits = { spoeThreadAnswerMs: 800 }
const verdict: AnswerVerdict = {
  kind: 'pass',
  rayId: 'a1',
  action: '',
  ruleId: '',
  score: 0,
  headers: { set: [['ray-id', ['a1']]], remove: [] },
}

/** The reports of a thread. @param answered what its request `a1` answers; undefined: it has no request */
function thread(t: TestContext, answered?: () => AnswerVerdict): Reports {
  const exchange: ProxiedExchange | undefined = answered && {
    rayId: 'a1',
    verdict: new Promise(() => {}),
    answered: async () => answered(),
    abandon: () => {},
  }
  const reports = new Reports({ limits, waiting: rayId => (rayId === 'a1' ? exchange : undefined) })
  t.after(() => reports.close())
  return reports
}

const report = (rayId: string) => ({ rayId, status: 200, headers: [] })

test('the thread of a request answers its report; without such a thread, the response passes', async t => {
  const asked = thread(t)
  thread(t, () => verdict)
  assert.deepEqual(await asked.answered(report('a1')), verdict)
  assert.equal(await asked.answered(report('a2')), undefined)
})

test('an answer that came while the asking thread was busy counts', async t => {
  const asked = thread(t)
  thread(t, () => {
    // Both are in this thread, which reads nothing before the time is over.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, limits.spoeThreadAnswerMs + 200)
    return verdict
  })
  assert.deepEqual(await asked.answered(report('a1')), verdict)
})
