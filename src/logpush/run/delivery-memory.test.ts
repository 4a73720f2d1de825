import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { requestReplay } from '../jobs/operations.ts'
import { DeliveryBench, eventually, idsIn } from '../testing/delivery.ts'

/** The memory that all jobs share, and batches that wait for uploads. */

const count = 1000
const ids = Array.from({ length: count }, (_, n) => `ray-${String(n).padStart(5, '0')}`)

test('twenty jobs that share little memory deliver each line once', async t => {
  const bench = await DeliveryBench.open(t)
  const names = Array.from({ length: 20 }, (_, n) => `job-${n}`)
  for (const name of names) await bench.job({ destinationConf: bench.folder(name) })
  await bench.write(...ids)
  bench.deliver({ batchBytes: 1024 * 1024 })
  await bench.later(async () => {
    for (const name of names) assert.equal((await bench.ids(name)).length, count, name)
  })
  for (const name of names) assert.deepEqual(await bench.ids(name), ids, name)
  // Half of the lines of a job do not fit beside those of the others.
  const objects = await Promise.all(names.map(async name => (await bench.files(name)).length))
  assert.ok(
    objects.some(number => number > 1),
    `${objects}`,
  )
})

test('a destination that does not answer leaves the other jobs their share', async t => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const bench = await DeliveryBench.open(t)
  const { port } = silent.address() as AddressInfo
  await bench.job({ destinationConf: `http://127.0.0.1:${port}/` })
  await bench.job({ destinationConf: bench.folder('other') })
  await bench.write(...ids)
  const delivery = bench.deliver({ batchBytes: 256 * 1024 })
  await bench.later(async () => assert.deepEqual(await bench.ids('other'), ids))
  await delivery.stop(100).catch(() => {})
})

test('a replay that needs more than the memory delivers each line once', async t => {
  const bench = await DeliveryBench.open(t)
  const startMs = Date.now() - 1000
  await bench.write(...ids)
  const job = await bench.job({ destinationConf: bench.folder('replayed') })
  const delivery = bench.deliver({ batchBytes: 64 * 1024 })
  const [start, end] = [new Date(startMs).toISOString(), new Date().toISOString()]
  await requestReplay(bench, job, { start, end, startMs, endMs: Date.parse(end) }, Date.now())
  delivery.refresh()
  await eventually(async () => assert.deepEqual(await bench.ids('replayed'), ids))
  assert.ok((await bench.files('replayed')).length > 3)
})

test('a job that cannot take more is left behind with its complete batch, which is delivered as it is', async t => {
  const [lines, first] = [new Map<string, number>(), Promise.withResolvers<void>()]
  let requests = 0
  const slow = createServer(async (request, response) => {
    const body = await buffer(request)
    // Until the other job is done: meanwhile this one has a batch in upload, and a complete one.
    if (++requests === 1) await first.promise
    for (const id of idsIn(body)) lines.set(id, (lines.get(id) ?? 0) + 1)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(slow, 'listening')
  t.after(() => slow.close())
  const bench = await DeliveryBench.open(t)
  const { port } = slow.address() as AddressInfo
  await bench.job({ destinationConf: `http://127.0.0.1:${port}/`, maxUploadRecords: 300 })
  await bench.job({ destinationConf: bench.folder('quick') })
  await bench.write(...ids)
  bench.deliver()
  await bench.later(async () => assert.deepEqual(await bench.ids('quick'), ids))
  first.resolve()
  await bench.later(async () => assert.equal(lines.size, count))
  assert.deepEqual(new Set(lines.values()), new Set([1]))
  await eventually(() => assert.equal(bench.outcomes.filter(({ outcome }) => outcome === 'retry').length, 0))
})
