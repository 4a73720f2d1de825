import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordReader } from '../../bus/index.ts'
import type { LogpushJob } from '../../model/resource.ts'
import { StoreError } from '../../store/index.ts'
import { BatchMemory } from '../batch/batch-memory.ts'
import { requestReplay, startJob } from '../jobs/operations.ts'
import type { StreamRecord } from '../stream/merged-reader.ts'
import type { Follower } from '../stream/shared-reader.ts'
import type { Stream } from '../stream/stream.ts'
import { DeliveryBench, eventually, storeWith } from '../testing/delivery.ts'
import { onThisMachine } from '../testing/destinations.ts'
import type { Delivery } from '../types.ts'
import { Counts } from './counts.ts'
import { HeldLease } from './held-lease.ts'
import { JobRun } from './job-run.ts'
import { Losses } from './losses.ts'
import { usualPace } from './pace.ts'

/** Failures around delivery, and what they must not come to. */

test('a clock that is set back delays nothing', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: bench.folder('back') })
  await bench.write('a')
  bench.aheadMs = 3_600_000
  bench.deliver()
  await eventually(async () => assert.notEqual((await bench.now(job)).lastComplete, null))
  assert.deepEqual(await bench.ids('back'), ['a'])
  bench.aheadMs = 0
  await bench.write('b')
  await eventually(async () => assert.deepEqual(await bench.ids('back'), ['a', 'b']))
})

test('an error in one record loses neither it nor later ones', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.now(
    await bench.job({ destinationConf: bench.folder('throws'), maxUploadRecords: 2 }),
  )
  const clock = { nowMs: () => Date.now() }
  const counts = new Counts(bench.store, clock)
  const failures: string[] = []
  const follows = Promise.withResolvers<Follower>()
  const stream = { follow: async (follower: Follower) => follows.resolve(follower), leave: () => {} }
  const { store, reader } = bench
  const run = new JobRun(
    job,
    new HeldLease({ jobId: job.id, log: 'spool', owner: 'test', fence: 1 }, async () => {}),
    {
      store,
      clock,
      counts,
      losses: new Losses(() => {}),
      memory: new BatchMemory(1024 ** 3),
      onFenced: () => assert.fail('no other process exists'),
      pace: usualPace,
      destinations: onThisMachine,
      onOutcome: (_job, { message }) => failures.push(message),
      onError: message => assert.fail(message),
    },
    {
      name: reader.log,
      source: reader,
      stream: stream as unknown as Stream,
      leads: () => true,
      has: () => true,
    },
  )
  const follower = await follows.promise
  const record = (sequence: number) =>
    ({
      partition: 'edge-1',
      sequence,
      receivedMs: 1000,
      happenedMs: () => 1000,
      head: { zone: bench.zone.id, account: bench.zone.accountId, dataset: 'http_requests' },
      pick() {
        if (sequence === 2) throw new Error('this one cannot be written')
        return { RayID: String(sequence) }
      },
    }) as unknown as StreamRecord
  // All in one turn, as the shared reader does it.
  for (let sequence = 1; sequence <= 6; sequence++)
    follower.take(record(sequence), () => new Map([['edge-1', sequence - 1]]))
  follower.passed({ position: new Map([['edge-1', 6]]), untilMs: 2000, atEnd: true })
  assert.equal(run.idleAt, undefined)
  await eventually(() => assert.deepEqual(failures, ['this one cannot be written']))
  await run.stop()
  assert.equal(await store.delivery.openBatchOf(run.run), undefined)
  assert.deepEqual([...(await store.delivery.cursors(run.run)).values()], [0])
  assert.deepEqual(await bench.ids('throws'), [])
})

test('lags are stored by the hour, even for a paused job', async t => {
  const bench = await DeliveryBench.open(t)
  await writeFile(join(bench.directory, 'blocked'), '')
  const job = await bench.job({ destinationConf: bench.folder('blocked') })
  const longest = async () => {
    const lags = await bench.store.delivery.lags(job.id, '')
    return Math.max(...lags.map(({ secondsMax }) => secondsMax))
  }
  await bench.write('a')
  const delivery = bench.deliver()
  await eventually(async () => assert.equal((await bench.now(job)).paused, true))
  bench.aheadMs += 600_000
  await eventually(async () => assert.ok((await longest()) >= 600))
  // Less than a minute later: the end writes what has grown since.
  bench.aheadMs += 30_000
  await eventually(() => assert.ok(delivery.lags()[0]!.lagSeconds >= 630))
  await delivery.stop()
  assert.ok((await longest()) >= 630)
})

test('a job that is edited while its failure is stored is tried at once', async t => {
  const bench = await DeliveryBench.open(t)
  await writeFile(join(bench.directory, 'blocked'), '')
  const job = await bench.job({ destinationConf: bench.folder('blocked') })
  await bench.write('a')
  let delivery: Delivery | undefined
  const store = storeWith(bench.store, {
    jobs: {
      async report(id, health) {
        await bench.store.jobs.report(id, health)
        if (!health.paused) return
        await rm(join(bench.directory, 'blocked'), { force: true })
        await bench.store.jobs.update(await bench.now(job))
        await bench.refreshed(delivery!)
      },
    },
  })
  delivery = bench.deliver({ store })
  await eventually(async () => assert.deepEqual(await bench.ids('blocked'), ['a']))
})

test('a job that is edited while it begins follows with its new settings', async t => {
  const bench = await DeliveryBench.open(t)
  const filterOf = (id: string) => `{"where":{"key":"RayID","operator":"eq","value":"${id}"}}`
  const job = await bench.job({ destinationConf: bench.folder('now'), filter: filterOf('old') })
  let delivery: Delivery | undefined
  let changed = false
  const store = storeWith(bench.store, {
    delivery: {
      async cursors(run) {
        if (!changed) {
          changed = true
          await bench.store.jobs.update({ ...(await bench.now(job)), filter: filterOf('new') })
          await bench.refreshed(delivery!)
        }
        return bench.store.delivery.cursors(run)
      },
    },
  })
  delivery = bench.deliver({ store })
  await eventually(() => assert.ok(changed))
  await bench.write('old', 'new')
  await eventually(async () => assert.deepEqual(await bench.ids('now'), ['new']))
})

test('a job without records to deliver does not show an old failure for ever', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: bench.folder('idle') })
  const lastError = '2026-08-12T00:00:00.000Z'
  await bench.store.jobs.report(job.id, {
    lastComplete: null,
    lastError,
    errorMessage: 'paused until …',
    paused: true,
  })
  bench.deliver()
  await eventually(async () => {
    const { paused, errorMessage, lastError } = await bench.now(job)
    assert.deepEqual(
      { paused, errorMessage, lastError },
      { paused: false, errorMessage: null, lastError: null },
    )
  })
})

test('a delivered batch is not delivered again when the database refuses', async t => {
  const bench = await DeliveryBench.open(t)
  await bench.job({ destinationConf: bench.folder('once') })
  let refusals = 3
  const store = storeWith(bench.store, {
    delivery: {
      async closeBatch(batch, object) {
        if (refusals-- <= 0) return bench.store.delivery.closeBatch(batch, object)
        // Creating the folder again would have delivered twice.
        await rm(join(bench.directory, 'once'), { recursive: true })
        throw new StoreError('unavailable', 'the database does not answer')
      },
    },
  })
  await bench.write('a')
  const delivery = bench.deliver({ store })
  await eventually(() => assert.ok(refusals <= 2))
  await eventually(() => assert.equal(bench.outcomes.at(-1)?.outcome, 'retry'))
  refusals = 0
  await eventually(() => assert.equal(bench.outcomes.at(-1)?.outcome, 'successful'))
  assert.deepEqual(await bench.ids('once'), [])
  await delivery.stop()
})

test('stopping ends when the log no longer answers', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: bench.folder('away') })
  let away = false
  const reader: RecordReader = {
    ...bench.watching(),
    head: async partition => {
      if (away) throw new Error('the stream does not answer')
      return bench.reader.head(partition)
    },
  }
  const errors: string[] = []
  const delivery = bench.deliver({ reader, onError: message => errors.push(message) })
  await bench.write('a')
  await eventually(async () => assert.notEqual((await bench.now(job)).lastComplete, null))
  away = true
  await delivery.stop()
  assert.ok(errors.some(message => message.startsWith('the last records cannot be read')))
})

test('many simultaneous changes are read once or twice', async t => {
  const bench = await DeliveryBench.open(t)
  let reads = 0
  const store = storeWith(bench.store, {
    jobs: {
      async listEnabled() {
        reads++
        await sleep(20)
        return []
      },
    },
  })
  const delivery = bench.deliver({ store, pace: { upkeepMs: 60_000 } })
  for (let n = 0; n < 100; n++) delivery.refresh()
  await sleep(200)
  assert.ok(reads <= 2, `${reads}`)
})

test('a manifest whose write hangs delays neither positions nor releases', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: `${bench.folder('hours')}?manifest=hourly` })
  let asked = 0
  let released = 0
  const store = storeWith(bench.store, {
    delivery: { manifestHours: () => new Promise(() => void asked++) },
  })
  const reader: RecordReader = { ...bench.watching(), release: async () => void released++ }
  bench.deliver({ store, reader })
  await bench.write('a')
  await eventually(() => assert.ok(asked > 0))
  const before = released
  await eventually(() => assert.ok(released > before + 2))
  assert.equal(asked, 1)
  await eventually(async () => assert.notEqual((await bench.now(job)).lastComplete, null))
})

test('a replay does not change the manifests of live deliveries', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: `${bench.folder('listed')}?manifest=hourly` })
  await bench.write('a')
  const delivery = bench.deliver()
  await eventually(async () => assert.deepEqual(await bench.ids('listed'), ['a']))
  bench.aheadMs += 3_600_000
  const manifest = async () => {
    const names = await readdir(join(bench.directory, 'listed'))
    const name = names.find(file => file.endsWith('_manifest.json'))
    assert.ok(name)
    return readFile(join(bench.directory, 'listed', name), 'utf8')
  }
  await eventually(async () => void (await manifest()))
  const before = await manifest()
  const [start, end] = [new Date(0).toISOString(), new Date().toISOString()]
  const replay = await requestReplay(
    bench,
    job as LogpushJob,
    { start, end, startMs: 0, endMs: Date.now() },
    Date.now(),
  )
  delivery.refresh()
  await eventually(async () =>
    assert.equal((await bench.store.replays.get(job.id, replay.id))!.status, 'completed'),
  )
  assert.deepEqual(await bench.ids('listed'), ['a', 'a'])
  assert.deepEqual(await bench.store.delivery.manifestHours(job.id, '9'), [])
  bench.aheadMs += 3_600_000
  await sleep(200)
  assert.equal(await manifest(), before)
})

test('a job edited during its replay continues with its new settings', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: bench.folder('edited'), maxUploadRecords: 2 })
  await bench.write('a', 'b', 'c', 'd', 'e')
  let delivery: Delivery | undefined
  let changed = false
  const store = storeWith(bench.store, {
    delivery: {
      async closeBatch(batch, object) {
        if (batch.replay !== 0 && !changed) {
          changed = true
          const filter = '{"where":{"key":"RayID","operator":"!eq","value":"c"}}'
          await bench.store.jobs.update({ ...(await bench.now(job)), filter })
          await bench.refreshed(delivery!)
        }
        return bench.store.delivery.closeBatch(batch, object)
      },
    },
  })
  delivery = bench.deliver({ store })
  await eventually(async () => assert.equal((await bench.ids('edited')).length, 5))
  const [start, end] = [new Date(0).toISOString(), new Date().toISOString()]
  const range = { start, end, startMs: 0, endMs: Date.now() + 1 }
  const { id } = await requestReplay(bench, job, range, Date.now())
  delivery.refresh()
  await eventually(async () => assert.equal((await store.replays.get(job.id, id))!.status, 'completed'))
  assert.deepEqual(await bench.ids('edited'), ['a', 'a', 'b', 'b', 'c', 'd', 'd', 'e', 'e'])
})

test('a hanging job does not keep the others from finishing, and last_complete is the last delivered record', async t => {
  const bench = await DeliveryBench.open(t)
  const hangs = await bench.job({ destinationConf: bench.folder('hangs') })
  const sound = await bench.job({ destinationConf: bench.folder('sound') })
  const stuck = Promise.withResolvers<undefined>()
  const store = storeWith(bench.store, {
    delivery: {
      openBatchOf: run => (run.jobId === hangs.id ? stuck.promise : bench.store.delivery.openBatchOf(run)),
    },
  })
  // No batch is due before the stop; and on a busy machine the stop may not wait for the end of this.
  const delivery = bench.deliver({
    store,
    pace: { tickMs: 20, orderMs: 0, settleMs: 60_000, upkeepMs: 50 },
    onError: () => {},
  })
  await bench.write('a')
  await eventually(() => assert.ok(delivery.lags().find(({ jobId }) => jobId === sound.id)!.lagSeconds > 1))
  const stopped = delivery.stop()
  await eventually(async () => assert.deepEqual(await bench.ids('sound'), ['a']))
  stuck.resolve(undefined)
  await stopped
  const [record] = await bench.reader.read('edge-1', 0, { records: 1, bytes: 1 })
  assert.equal((await bench.now(sound)).lastComplete, new Date(record!.receivedMs).toISOString())
})

test('a job that is restarted in the past while it begins is not moved by its old position', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: bench.folder('past') })
  const fromMs = Date.now()
  await sleep(5)
  await bench.write('a', 'b')
  await bench.disable(job)
  await startJob(bench, job)
  await bench.store.jobs.update({ ...(await bench.now(job)), enabled: true })
  let delivery: Delivery | undefined
  let begins = true
  const reader: RecordReader = {
    ...bench.watching(),
    async head(partition) {
      const head = await bench.reader.head(partition)
      const run = { jobId: job.id, replay: 0 }
      if (begins && (await bench.store.delivery.cursors(run)).size > 0) {
        begins = false
        await bench.disable(job)
        await startJob(bench, job, fromMs)
        await bench.store.jobs.update({ ...(await bench.now(job)), enabled: true })
        await bench.refreshed(delivery!)
      }
      return head
    },
  }
  delivery = bench.deliver({ reader, pace: { tickMs: 20, orderMs: 0, settleMs: 0, upkeepMs: 30 } })
  await eventually(async () => assert.deepEqual(await bench.ids('past'), ['a', 'b']))
})
