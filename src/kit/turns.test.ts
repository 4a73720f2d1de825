import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTurn, turnToBegin } from './turns.ts'

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

test('groups take turns', async () => {
  const log: string[] = []
  const waits = ['many 1', 'many 2', 'many 3', 'few 1'].map(async name => {
    await nextTurn(name.split(' ')[0])
    log.push(name)
  })
  await Promise.all(waits)
  assert.deepEqual(log, ['many 1', 'few 1', 'many 2', 'many 3'])
})

test('a group begins once per turn, and not before its callers that wait', async () => {
  const log: string[] = []
  const begin = async (name: string) => {
    await turnToBegin(name.split(' ')[0]!)
    log.push(name)
  }
  assert.equal(turnToBegin('many'), undefined)
  const waits = [begin('many 1'), begin('many 2')]
  assert.equal(turnToBegin('few'), undefined)
  await new Promise(resolve => setImmediate(resolve))
  waits.push(begin('many 3'))
  await Promise.all(waits)
  assert.deepEqual(log, ['many 1', 'many 2', 'many 3'])
  await new Promise(resolve => setImmediate(resolve))
  assert.equal(turnToBegin('many'), undefined)
})
