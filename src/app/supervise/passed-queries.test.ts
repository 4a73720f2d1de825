import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { test } from 'node:test'
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
