import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from './errors.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { apiLimits } from './limits.ts'

test('work with one key runs in order, one at a time, also after failures', async () => {
  const writes = new KeyedQueue()
  const events: string[] = []
  const work = (name: string, fails: boolean) =>
    writes.run('a', async () => {
      events.push(`${name} begins`)
      await new Promise(resolve => setImmediate(resolve))
      events.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const results = await Promise.allSettled([work('one', false), work('two', true), work('three', false)])
  assert.deepEqual(
    results.map(result => result.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(events, ['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends'])
})

test('other keys do not wait, and too many waiting are refused', async () => {
  const writes = new KeyedQueue()
  let open = () => {}
  const barrier = new Promise<void>(resolve => {
    open = resolve
  })
  const waiting = Array.from({ length: apiLimits.waitingWritesMax }, () => writes.run('a', () => barrier))
  await assert.rejects(
    writes.run('a', async () => {}),
    (error: unknown) => error instanceof ApiError && error.status === 429,
  )
  assert.equal(await writes.run('b', async () => 'b'), 'b')
  open()
  await Promise.all(waiting)
  assert.equal(await writes.run('a', async () => 'a'), 'a')
})
