import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import type { RateLimit } from '../../port.ts'
import { rateCountersSuite } from '../../testing/rate-counters-suite.ts'
import { LocalRateCounters, newRateMemory } from './rate-counters.ts'
import { entriesPerBucket, newRateSecret, newRateTable, rateTableIn } from './table.ts'

rateCountersSuite(() => new LocalRateCounters(newRateTable(1024)))

const startMs = 1_800_000_000_000
const minute: RateLimit = { periodMs: 60_000, max: 1, mitigationMs: 0 }

/** Counts in a separate thread; returns how many of its requests passed. */
const threadCode = `
const { parentPort, workerData } = require('node:worker_threads')
const { module, memory, requests, limit, nowMs } = workerData
import(module).then(({ LocalRateCounters }) => {
  const counters = new LocalRateCounters(memory)
  let passed = 0
  for (let n = 0; n < requests; n++) {
    if (!counters.count('one key', 1, limit, nowMs).limited) passed++
    counters.count('other ' + n % 100, 3, limit, nowMs)
  }
  parentPort.postMessage(passed)
})`

function passedInThread(memory: SharedArrayBuffer, requests: number, limit: RateLimit): Promise<number> {
  const module = new URL('./rate-counters.ts', import.meta.url).href
  const workerData = { module, memory, requests, limit, nowMs: startMs }
  const worker = new Worker(threadCode, { eval: true, workerData })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

test('threads that count the same key let exactly max through', async () => {
  const memory = newRateMemory()
  const limit = { ...minute, max: 50_000 }
  const requests = 20_000
  const passed = await Promise.all([1, 2, 3, 4].map(() => passedInThread(memory, requests, limit)))
  assert.equal(
    passed.reduce((sum, count) => sum + count),
    limit.max,
  )
  // Each of the other keys has its sum, too: 4 threads, 200 times, 3.
  const counters = new LocalRateCounters(memory)
  for (let n = 0; n < 100; n++) {
    const sum = 4 * 200 * 3
    assert.equal(counters.count(`other ${n}`, 1, { ...limit, max: sum + 1 }, startMs).limited, false)
    assert.equal(counters.count(`other ${n}`, 1, { ...limit, max: sum + 1 }, startMs).limited, true)
  }
})

test('a full bucket drops the count that ends soonest, and reports it', () => {
  const counters = new LocalRateCounters(newRateTable(entriesPerBucket))
  for (let n = 0; n < entriesPerBucket; n++) {
    const periodMs = n === 5 ? 10_000 : 60_000
    counters.count(`key ${n}`, 2, { ...minute, periodMs }, startMs)
  }
  assert.equal(counters.displaced, 0)
  counters.count('one more', 2, minute, startMs)
  assert.equal(counters.displaced, 1)
  const isLimited = (key: string) => counters.count(key, 0, minute, startMs).limited
  assert.equal(isLimited('key 5'), false)
  for (let n = 0; n < entriesPerBucket; n++) assert.equal(isLimited(`key ${n}`), n !== 5, `key ${n}`)
  assert.equal(isLimited('one more'), true)
})

test('ended counts are replaced', () => {
  const counters = new LocalRateCounters(newRateTable(entriesPerBucket))
  for (let n = 0; n < entriesPerBucket; n++) counters.count(`key ${n}`, 2, minute, startMs)
  for (let n = 0; n < entriesPerBucket; n++)
    counters.count(`later ${n}`, 2, minute, startMs + minute.periodMs)
  assert.equal(counters.displaced, 0)
})

test('the counts of a thread remain when another replaces it', () => {
  const memory = newRateTable(1024)
  new LocalRateCounters(memory).count('key', 1, minute, startMs)
  assert.equal(new LocalRateCounters(memory).count('key', 1, minute, startMs).limited, true)
})

test('a bucket that a dead thread holds is taken over', () => {
  const memory = newRateTable(entriesPerBucket)
  rateTableIn(memory).locks[0] = 12345
  assert.equal(new LocalRateCounters(memory).count('key', 2, minute, startMs).limited, true)
  assert.equal(rateTableIn(memory).locks[0], 0)
})

test('counts go from one memory to another: they are added, and ended ones stay behind', () => {
  const secret = newRateSecret()
  const earlier = new LocalRateCounters(newRateTable(1024, secret))
  const later = new LocalRateCounters(newRateTable(1024, secret))
  const limit = { ...minute, max: 3 }
  earlier.count('limited', 4, limit, startMs)
  earlier.count('both', 2, limit, startMs)
  earlier.count('ended', 4, { ...limit, periodMs: 10_000 }, startMs)
  later.count('both', 1, limit, startMs + 20_000)
  later.add(earlier.live(startMs + 20_000), startMs + 20_000)
  const state = (key: string, amount: number) => later.count(key, amount, limit, startMs + 20_000)
  assert.deepEqual(state('limited', 0), { limited: true, untilMs: startMs + minute.periodMs })
  assert.deepEqual(state('ended', 0), { limited: false, untilMs: 0 })
  assert.deepEqual(state('both', 0), { limited: false, untilMs: 0 })
  // In the period that began first.
  assert.deepEqual(state('both', 1), { limited: true, untilMs: startMs + minute.periodMs })
})
