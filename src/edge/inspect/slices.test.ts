import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBackground, inSlices, type Slices } from '../exchange/slices.ts'

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
      log.push('other work')
      resolve()
    }),
  )
  assert.equal(await long, 'done')
  assert.deepEqual(log.toSorted(), ['0', '1', '2', 'other work'])
  assert.ok(log.indexOf('other work') < log.indexOf('2'))
})

test('short work of a zone continues before its long work, and before work that no response waits for', async () => {
  const log: string[] = []
  const ended = async (run: Promise<string> | string) => void log.push(await run)
  const long = Array.from({ length: 4 }, (_, at) => ended(inSlices(work(40, `long ${at}`))))
  // By now the long work has used up what short work may.
  for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setImmediate(resolve))
  const background = ended(inBackground(work(1, 'background')))
  const short = Array.from({ length: 4 }, () => ended(inSlices(work(3, 'short'))))
  await Promise.all([...long, background, ...short])
  assert.deepEqual(log.slice(0, 5).toSorted(), ['background', ...Array(4).fill('short')].toSorted())
  assert.equal(log.indexOf('background'), 4)
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
