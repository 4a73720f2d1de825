import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTurn } from './turns.ts'

test('one caller per turn, in the order of calls', async () => {
  const log: string[] = []
  const waits = ['a', 'b', 'c'].map(async name => {
    await nextTurn()
    log.push(name)
  })
  const perTurn: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    await new Promise(resolve => setImmediate(resolve))
    perTurn.push(log.length)
  }
  await Promise.all(waits)
  assert.deepEqual(log, ['a', 'b', 'c'])
  for (let turn = 1; turn < perTurn.length; turn++) {
    assert.ok(perTurn[turn]! - perTurn[turn - 1]! <= 1, `${perTurn}`)
  }
})
