import assert from 'node:assert/strict'
import { once } from 'node:events'
import { constants, getPriority } from 'node:os'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'

const script = `
const { getPriority } = require('node:os')
const { parentPort, workerData } = require('node:worker_threads')
import(workerData).then(({ lowerThreadPriority }) => {
  lowerThreadPriority()
  parentPort.postMessage(getPriority())
})`

test('only the calling thread has the lower priority', { skip: process.platform !== 'linux' }, async () => {
  const before = getPriority()
  const worker = new Worker(script, {
    eval: true,
    workerData: new URL('thread-priority.ts', import.meta.url).href,
  })
  const [lowered] = await once(worker, 'message')
  assert.equal(lowered, constants.priority.PRIORITY_BELOW_NORMAL)
  assert.equal(getPriority(), before)
})
