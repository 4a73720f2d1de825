import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Answered, answerCall, type Call, Calls } from './calls.ts'
import { analyticsLimits } from './limits.ts'
import { RecordStoreError } from './records/port.ts'
import { AnalyticsAwayError, type Answers } from './types.ts'

const range = { sinceMs: 0, untilMs: 1 }
/** Only what these tests ask. */
const answers = { ruleHits: async () => [] } as unknown as Answers

function answering(calls: Calls, by: Answers): void {
  calls.attach(call => void answerCall(by, call).then((answered: Answered) => calls.settle(answered)))
}

test('queries from before the start of the thread are answered, and too many are refused', async () => {
  const calls = new Calls()
  const analytics = calls.analytics()
  const ask = () => analytics.ruleHits('z', range)
  const waiting = Array.from({ length: analyticsLimits.waitingMax }, ask)
  await assert.rejects(ask(), AnalyticsAwayError)
  answering(calls, answers)
  assert.equal((await Promise.all(waiting)).length, analyticsLimits.waitingMax)
  assert.deepEqual(await ask(), [])
  await analytics.close()
  await assert.rejects(ask(), AnalyticsAwayError)
})

test('queries fail with their thread, and the next ones wait for another', async () => {
  const calls = new Calls()
  const ask = () => calls.analytics().ruleHits('z', range)
  calls.attach(() => {})
  const lost = ask()
  calls.detach()
  await assert.rejects(lost, AnalyticsAwayError)
  const next = ask()
  answering(calls, answers)
  assert.deepEqual(await next, [])
})

test('queries go to the process that has the store, while this one has not', async () => {
  const [here, there] = [new Calls(call => pass(call)), new Calls()]
  const pass = (call: Call) => void there.answer(call).then(answered => here.settle(answered))
  const ask = () => here.analytics().ruleHits('z', range)
  const [early, meanwhile] = [ask(), ask()]
  answering(there, answers)
  assert.deepEqual(await Promise.all([early, meanwhile]), [[], []])
  there.attach(() => {})
  const lost = ask()
  answering(here, answers)
  assert.deepEqual(await lost, [])
  here.attach(() => {})
  const open = ask()
  answering(there, answers)
  here.handOver()
  assert.deepEqual(await open, [])
  answering(there, {} as Answers)
  await assert.rejects(ask(), AnalyticsAwayError)
})

test('a store that cannot be used is away, and any other error is as it was', async () => {
  const calls = new Calls()
  const ask = () => calls.analytics().ruleHits('z', range)
  const failing = (error: Error) => ({ ruleHits: () => Promise.reject(error) }) as unknown as Answers
  answering(calls, failing(new RecordStoreError('unsupported', 'analytics need DuckDB')))
  await assert.rejects(ask(), { name: 'AnalyticsAwayError', message: 'analytics need DuckDB' })
  answering(calls, failing(new RangeError('a fault')))
  await assert.rejects(ask(), { name: 'RangeError', message: 'a fault' })
})

test('the file of an answer stays for the query that waits, and is removed when none does', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-calls-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'rows.parquet')
  for (const [name, answer] of [
    ['exportSearch', { path }],
    ['sql', { ok: true, answer: { path } }],
  ] as const) {
    const calls = new Calls()
    const asked: Call[] = []
    calls.attach(call => void asked.push(call))
    const waiting = (calls.analytics()[name] as () => Promise<unknown>)()
    writeFileSync(path, '')
    const answered = await answerCall({ [name]: async () => answer } as unknown as Answers, asked[0]!)
    calls.settle(answered)
    assert.deepEqual(await waiting, answer)
    assert.equal(existsSync(path), true)
    calls.settle(answered)
    assert.equal(existsSync(path), false)
  }
})
