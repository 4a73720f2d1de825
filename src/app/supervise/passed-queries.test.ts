import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { analyticsLimits } from '../../analytics/limits.ts'
import type { FromSupervisor } from './inheritance.ts'
import { PassedQueries } from './passed-queries.ts'

/** Only what this test uses. */
function processWith(received: FromSupervisor[]): ChildProcess {
  const send = (message: FromSupervisor) => received.push(message)
  return { send } as unknown as ChildProcess
}

test('a query goes to the process with the store, to its next one too if it is open, and never to the one that asks', () => {
  const queries = new PassedQueries()
  const [toOld, toNew]: [FromSupervisor[], FromSupervisor[]] = [[], []]
  const [old, next] = [processWith(toOld), processWith(toNew)]
  const call = { id: 7, name: 'ruleHits', values: [] } as const
  queries.give(old)
  queries.ask(old, call)
  queries.ask(next, call)
  assert.deepEqual(toOld, [{ kind: 'query', call: { ...call, id: 2 } }])
  queries.answer({ id: 2, answer: 'hits' })
  assert.deepEqual(toNew.splice(0), [{ kind: 'answer', answered: { id: 7, answer: 'hits' } }])
  queries.release(old)
  queries.give(next)
  assert.deepEqual(toNew, [{ kind: 'query', call: { ...call, id: 1 } }])
  queries.answer({ id: 2, answer: 'again' })
  assert.equal(toNew.length, 1)
})

test('the file of an answer is removed when the process that asked has given up or ended', t => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-passed-'))
  t.after(() => rmSync(folder, { recursive: true }))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const path = join(folder, 'rows.parquet')
  const ended = {
    send: (_: FromSupervisor, sent: (error: Error) => void) => sent(new Error('ended')),
  } as unknown as ChildProcess
  const queries = new PassedQueries()
  queries.give(processWith([]))
  for (const [at, [from, waitedMs]] of (
    [
      [ended, 0],
      [processWith([]), analyticsLimits.beginMsMax],
    ] as const
  ).entries()) {
    queries.ask(from, { id: 7, name: 'exportSearch', values: [] })
    t.mock.timers.tick(waitedMs)
    writeFileSync(path, '')
    queries.answer({ id: at + 1, answer: { path }, file: path })
    assert.equal(existsSync(path), false)
  }
})
