import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { RecordReader, RecordWriter } from '../../bus/index.ts'
import { partName } from '../../model/log-name.ts'
import { StoreError } from '../../store/index.ts'
import { aBatch } from '../../store/testing/data.ts'
import { shapeOf } from '../batch/shape.ts'
import { requestReplay } from '../jobs/operations.ts'
import { DeliveryBench, eventually, idsIn, quickPace, storeWith } from '../testing/delivery.ts'
import { keyOf, sharesOf } from './shares.ts'

const leaseMs = 2000

/** A log of two parts, as it is on NATS, over the partitions of a spool. */
async function openParts(t: TestContext) {
  const bench = await DeliveryBench.open(t)
  const writers = new Map<string, RecordWriter>([['edge-1', bench.writer]])
  writers.set('edge-2', await bench.log.writer('edge-2'))
  const partitionOf = (name: string) => bench.partition(name)
  const reader: RecordReader = {
    ...bench.watching(),
    log: 'nats',
    parts: ['edge-1', 'edge-2'].map(name => ({
      name: partName('nats', name),
      partitions: async () => (await bench.reader.partitions()).filter(it => it.startsWith(name)),
      has: () => true,
    })),
  }
  const write = async (name: string, ...ids: readonly string[]) => {
    const to = writers.get(name)!
    for (const id of ids) bench.append(id, { to })
    await to.flush()
  }
  await write('edge-1', 'before')
  await write('edge-2', 'before')
  const pace = { ...quickPace, leaseMs }
  const deliver = (location: string, log = reader) => bench.deliver({ reader: log, location, pace })
  return { bench, reader, write, partitionOf, deliver }
}

/** As the API of the log's processes starts it: after the newest records. */
async function startedJob({ bench, reader }: Awaited<ReturnType<typeof openParts>>, folder: string) {
  const job = await bench.job({ destinationConf: bench.folder(folder) })
  await bench.store.delivery.stop(job.id)
  const cursors = new Map<string, number>()
  for (const partition of await reader.partitions()) cursors.set(partition, 1)
  const begin = { log: 'nats', ms: Date.now() }
  await bench.store.jobs.update({ ...(await bench.now(job)), enabled: false })
  await bench.store.delivery.start({ jobId: job.id, replay: 0 }, cursors, begin)
  await bench.store.jobs.update({ ...(await bench.now(job)), enabled: true })
  return bench.now(job)
}

test('two processes deliver a part of a log each, and one of them all when the other ends', async t => {
  const parts = await openParts(t)
  const { bench, write } = parts
  await startedJob(parts, 'out')
  const [one, two] = [parts.deliver('one'), parts.deliver('two')]
  await eventually(() => {
    for (const delivery of [one, two]) {
      delivery.refresh()
      assert.equal(delivery.lags().length, 1)
    }
  })
  await write('edge-1', 'a')
  await write('edge-2', 'b')
  await bench.later(async () => assert.deepEqual(await bench.ids('out'), ['a', 'b']))
  assert.equal((await bench.files('out')).length, 2)
  await two.stop()
  await write('edge-1', 'c')
  await write('edge-2', 'd')
  await bench.later(async () => {
    one.refresh()
    assert.deepEqual(await bench.ids('out'), ['a', 'b', 'c', 'd'])
  })
  assert.equal(one.lags().length, 1, 'one lag for the job, whose parts are both here')
})

test('a batch of an earlier version, over all parts, is delivered once under its name, and then the parts go on', async t => {
  const parts = await openParts(t)
  const { bench, write, partitionOf } = parts
  const job = await startedJob(parts, 'out')
  const { leases, delivery } = bench.store
  await write('edge-1', 'a', 'b')
  await write('edge-2', 'c', 'd')
  const earlier = { id: 'old/1', location: 'old', log: 'nats' }
  await leases.beat(earlier, 600_000, true)
  const [lease] = await leases.take(earlier.id, [{ jobId: job.id, log: 'nats' }])
  const name = '20260812T223000Z_20260812T224000Z_9af500e22b1c4d0f8f9a3c5d7e1b2a4c.log.gz'
  const ranges = [
    { partition: await partitionOf('edge-1'), first: 2, last: 3 },
    { partition: await partitionOf('edge-2'), first: 2, last: 2 },
  ]
  const batch = aBatch(
    { jobId: job.id, replay: 0 },
    { ranges, objectName: name, shape: JSON.stringify(shapeOf(job, null)), lines: 3 },
  )
  await delivery.openBatch({ ...batch, lease: lease! }, job.revision)
  await leases.leave(earlier.id)
  const processes = ['one', 'two'].map(location => parts.deliver(location))
  await write('edge-2', 'e')
  await bench.later(async () => {
    for (const process of processes) process.refresh()
    assert.deepEqual(await bench.ids('out'), ['a', 'b', 'c', 'd', 'e'])
  })
  const object = (await bench.files('out')).find(file => file.name === name)
  assert.deepEqual(idsIn(object!.content).sort(), ['a', 'b', 'c'])
})

test('a batch of a part is given up when an earlier version, which does not know it, has passed its records', async t => {
  const parts = await openParts(t)
  const { bench, write, partitionOf } = parts
  const job = await startedJob(parts, 'out')
  const { leases, delivery } = bench.store
  await write('edge-1', 'a', 'b')
  const old = { id: 'old/1', location: 'old', log: 'nats' }
  await leases.beat(old, 600_000, true)
  const wanted = ['nats/edge-1', 'nats'].map(log => ({ jobId: job.id, log }))
  const held = await leases.take(old.id, wanted)
  const [part, whole] = wanted.map(({ log }) => held.find(lease => lease.log === log)!)
  const partition = await partitionOf('edge-1')
  const ranges = [{ partition, first: 2, last: 3 }]
  const objectName = '20260812T223000Z_20260812T224000Z_9af500e22b1c4d0f8f9a3c5d7e1b2a4c.log.gz'
  const shape = JSON.stringify(shapeOf(job, null))
  const changes = { ranges, objectName, shape, lines: 2, lease: part! }
  await delivery.openBatch(aBatch({ jobId: job.id, replay: 0 }, changes), job.revision)
  const cursors = new Map([[partition, 3]])
  await delivery.advance([{ jobId: job.id, revision: job.revision, lease: whole!, cursors }])
  await leases.leave(old.id)
  const process = parts.deliver('one')
  await write('edge-1', 'c')
  await bench.later(async () => {
    process.refresh()
    assert.deepEqual(await bench.ids('out'), ['c'])
  })
})

test('the health of a job has the fault of any part, until that part delivers', async t => {
  const { bench } = await openParts(t)
  const job = await bench.job({ destinationConf: bench.folder('out') })
  const { jobs } = bench.store
  const sound = {
    lastComplete: '2026-01-01T00:00:00.000Z',
    lastError: null,
    errorMessage: null,
    paused: false,
  }
  const fault = { ...sound, lastComplete: null, lastError: '2026-01-01T00:00:01.000Z' }
  const health = async () => {
    const { lastComplete, errorMessage, paused } = await bench.now(job)
    return [lastComplete, errorMessage, paused]
  }
  await jobs.report(job.id, { ...fault, errorMessage: 'away' }, 'nats/nats-1')
  await jobs.report(job.id, sound, 'nats/nats-2')
  assert.deepEqual(await health(), [sound.lastComplete, 'away', false])
  await jobs.report(job.id, { ...fault, errorMessage: 'refused', paused: true }, 'nats/nats-3')
  assert.deepEqual(await health(), [sound.lastComplete, 'refused', true])
  await jobs.report(job.id, sound, 'nats/nats-3')
  assert.deepEqual(await health(), [sound.lastComplete, 'away', false])
  await jobs.report(job.id, { ...sound, lastComplete: '2026-01-02T00:00:00.000Z' }, 'nats/nats-1')
  assert.deepEqual(await health(), ['2026-01-02T00:00:00.000Z', null, false])
})

test('a report that failed is repeated, also for a job without records', async t => {
  const { bench } = await openParts(t)
  const job = await bench.job({ destinationConf: bench.folder('out') })
  const fault = {
    lastComplete: null,
    lastError: '2026-01-01T00:00:01.000Z',
    errorMessage: 'away',
    paused: false,
  }
  await bench.store.jobs.report(job.id, fault)
  let fails = 1
  const store = storeWith(bench.store, {
    jobs: {
      async report(...report) {
        if (fails-- > 0) throw new StoreError('unavailable', 'the database restarts')
        await bench.store.jobs.report(...report)
      },
    },
  })
  bench.deliver({ store, onError: () => {} })
  await eventually(async () => assert.equal((await bench.now(job)).errorMessage, null))
})

test('a manifest waits for all parts of its hour, and a replay reads all parts', async t => {
  const parts = await openParts(t)
  const { bench, reader, write } = parts
  const job = await startedJob(parts, 'listed?manifest=hourly')
  const led = job.id % 2
  // Alive, and it has its share, but delivers nothing.
  const works = reader.parts.map(({ name: log }) => ({ jobId: job.id, log, busy: true }))
  const location = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight'].find(
    name => sharesOf(works, ['one', name]).get(keyOf(works[led]!)) === 'one',
  )!
  const idle = { id: `${location}/1`, location, log: 'nats/*' }
  const beat = () => bench.store.leases.beat(idle, 2 * leaseMs, false)
  await beat()
  const beating = setInterval(() => void beat(), leaseMs / 4)
  t.after(() => clearInterval(beating))
  let looks = 0
  const at: RecordReader['at'] = (...of) => {
    looks++
    return reader.at(...of)
  }
  const delivery = parts.deliver('one', { ...reader, at })
  await write('edge-1', 'a')
  await write('edge-2', 'b')
  await bench.later(async () => assert.deepEqual(await bench.ids('listed'), [['a', 'b'][led]]))
  bench.aheadMs += 3_600_000
  looks = 0
  await eventually(() => assert.ok(looks > 10))
  const folder = join(bench.directory, 'listed')
  const manifests = async () => (await readdir(folder)).filter(file => file.endsWith('_manifest.json'))
  assert.deepEqual(await manifests(), [])
  clearInterval(beating)
  await bench.store.leases.leave(idle.id)
  await eventually(async () => {
    const [name] = await manifests()
    assert.ok(name)
    assert.equal(JSON.parse(await readFile(join(folder, name), 'utf8')).objects.length, 2)
  })
  const [start, end] = [new Date(0).toISOString(), new Date().toISOString()]
  const request = { start, end, startMs: 0, endMs: Date.now() + 1 }
  const replay = await requestReplay({ store: bench.store, reader }, job, request, Date.now())
  await eventually(async () => {
    delivery.refresh()
    assert.equal((await bench.store.replays.get(job.id, replay.id))!.lines, 4)
  })
})
