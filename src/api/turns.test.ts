import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiLimits } from '../kit/limits.ts'
import { ApiError } from './errors.ts'
import { Turns } from './turns.ts'

test('work under one key runs one after another, in order, past failures', async () => {
  const turns = new Turns()
  const events: string[] = []
  const work = (name: string, fails: boolean) =>
    turns.run('a', async () => {
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
  const turns = new Turns()
  let open = () => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  const waiting = Array.from({ length: apiLimits.waitingWritesMax }, () => turns.run('a', () => gate))
  await assert.rejects(
    turns.run('a', async () => {}),
    (error: unknown) => error instanceof ApiError && error.status === 429,
  )
  assert.equal(await turns.run('b', async () => 'b'), 'b')
  open()
  await Promise.all(waiting)
  assert.equal(await turns.run('a', async () => 'a'), 'a')
})
