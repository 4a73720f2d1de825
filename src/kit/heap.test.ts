import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { boundHeaps } from './heap.ts'

test('many threads collect their garbage at once', async () => {
  boundHeaps()
  const code = `
    const { collectGarbage } = await import(${JSON.stringify(import.meta.resolve('./heap.ts'))})
    const { getHeapStatistics } = await import('node:v8')
    let garbage = Array.from({ length: 2e5 }, () => ({}))
    const before = getHeapStatistics().used_heap_size
    garbage = undefined
    for (let round = 0; round < 3; round++) collectGarbage()
    process.exit(getHeapStatistics().used_heap_size < before / 2 ? 0 : 1)`
  const threads = Array.from(
    { length: 8 },
    () => new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`)),
  )
  assert.deepEqual(
    await Promise.all(threads.map(thread => once(thread, 'exit'))),
    threads.map(() => [0]),
  )
})
