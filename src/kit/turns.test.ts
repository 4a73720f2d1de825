import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTurn, turnToBegin, turnToContinue } from './turns.ts'

test('one caller with long work per turn, in the order of calls', async () => {
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

test('the members of a group take turns', async () => {
  const log: string[] = []
  const waits = ['many 1', 'many 2', 'many 3', 'few 1'].map(async name => {
    await nextTurn('group', name.split(' ')[0])
    log.push(name)
  })
  await Promise.all(waits)
  assert.deepEqual(log, ['many 1', 'few 1', 'many 2', 'many 3'])
})

test('work of a member with little is not behind all work of another', async () => {
  const log: string[] = []
  const begin = async (member: string) => {
    const wait = turnToBegin('group', member)
    if (wait !== undefined) await wait
    log.push(member)
  }
  await Promise.all([...Array.from({ length: 40 }, () => begin('many')), begin('few'), begin('few')])
  assert.equal(log.length, 42)
  // Eight begin at once. After them, every other one is of the member with little.
  assert.deepEqual(log.slice(8, 13), ['many', 'few', 'many', 'few', 'many'])
})

test('a group begins a bounded amount of work per turn, and delays no other group by it', async () => {
  const log: number[] = []
  const waits = Array.from({ length: 20 }, async (_, at) => {
    const wait = turnToBegin('many', 'one')
    if (wait !== undefined) await wait
    log.push(at)
  })
  assert.equal(turnToBegin('few', ''), undefined)
  assert.equal(log.length, 8)
  await turn()
  assert.equal(log.length, 12)
  assert.equal(turnToBegin('few', ''), undefined)
  await Promise.all(waits)
  assert.deepEqual(
    log,
    Array.from({ length: 20 }, (_, at) => at),
  )
  await turn()
  await turn()
  assert.equal(turnToBegin('many', 'one'), undefined)
})

test('work that began continues before new work of its group begins', async () => {
  const log: string[] = []
  const first = turnToContinue('group', 'one').then(() => log.push('first'))
  const second = turnToBegin('group', 'other')!.then(() => log.push('second'))
  assert.equal(turnToBegin('another group', 'other'), undefined)
  await Promise.all([first, second])
  assert.deepEqual(log, ['first', 'second'])
})

test('long work has one turn beside other work, which never stops it', async () => {
  const log: string[] = []
  const waits = [
    ...Array.from({ length: 2 }, () => nextTurn('group', 'one').then(() => log.push('long'))),
    ...Array.from({ length: 12 }, () => turnToContinue('group', 'two').then(() => log.push('short'))),
  ]
  await turn()
  assert.deepEqual(log, ['short', 'short', 'short', 'short', 'long'])
  await Promise.all(waits)
  assert.equal(log.indexOf('long', 5), 9)
})

test('short work of one group does not pass the long work of another', async () => {
  const log: string[] = []
  const short = (group: string) => turnToContinue(group, '').then(() => log.push(group))
  const waits = Array.from('aaaaaaa', short)
  waits.push(...Array.from('ll', group => nextTurn(group).then(() => log.push(group))))
  await turn()
  assert.deepEqual(log, ['a', 'l'])
  waits.push(short('b'))
  await Promise.all(waits)
  assert.equal(log.join(''), 'alablaaaaa')
})

function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
