import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSlices, type Slices } from '../exchange/slices.ts'

function* work<T>(yields: number, result: T, log: string[] = [], name = ''): Slices<T> {
  for (let slice = 0; slice < yields; slice++) {
    log.push(`${name}${slice}`)
    yield
  }
  return result
}

test('work that ends in its first slice has its result at once', () => {
  assert.equal(inSlices(work(0, 'done')), 'done')
  assert.equal(inSlices(work(0, undefined)), undefined)
})

test('longer work begins at once and lets other work run between slices', async () => {
  const log: string[] = []
  const long = inSlices(work(3, 'done', log))
  assert.ok(long instanceof Promise)
  assert.deepEqual(log, ['0'])
  await new Promise<void>(resolve =>
    setImmediate(() => {
      log.push('somebody else')
      resolve()
    }),
  )
  assert.equal(await long, 'done')
  assert.deepEqual(log.toSorted(), ['0', '1', '2', 'somebody else'])
  assert.ok(log.indexOf('somebody else') < log.indexOf('2'))
})

test('one slice runs per turn, alternating between waiting work', async () => {
  const log: string[] = []
  const turns = setInterval(() => {}, 1)
  const all = [inSlices(work(3, 1, log, 'a')), inSlices(work(3, 2, log, 'b'))]
  let turn = 0
  const perTurn: number[] = []
  const watch = () => {
    perTurn[turn++] = log.length
    if (turn < 10) setImmediate(watch)
  }
  watch()
  assert.deepEqual(await Promise.all(all), [1, 2])
  clearInterval(turns)
  assert.deepEqual(log, ['a0', 'b0', 'a1', 'b1', 'a2', 'b2'])
  for (let at = 1; at < perTurn.length; at++) assert.ok(perTurn[at]! - perTurn[at - 1]! <= 1, `${perTurn}`)
})

test('failures are thrown in the first slice and reject after it', async () => {
  function* failing(yields: number): Slices<void> {
    yield* work(yields, undefined)
    throw new Error('broken')
  }
  assert.throws(() => inSlices(failing(0)), /broken/)
  await assert.rejects(inSlices(failing(1)) as Promise<void>, /broken/)
  assert.equal(await inSlices(work(1, 'the next one')), 'the next one')
})
