import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openLocalRecordLog, type RecordReader } from '../../bus/index.ts'
import type { LogpushJob } from '../../model/resource.ts'
import { StoreError } from '../../store/index.ts'
import { DeliveryBench, eventually, storeWith } from '../testing/delivery.ts'

/** A log that has lost some records of its first partition. */
function without(bench: DeliveryBench, ...lost: readonly number[]): RecordReader {
  return {
    ...bench.watching(),
    read: async (...where) =>
      (await bench.reader.read(...where)).filter(({ sequence }) => !lost.includes(sequence)),
  }
}

/** By hour. */
async function missingOf(bench: DeliveryBench, job: LogpushJob): Promise<number[]> {
  const counts = await bench.store.delivery.counts(job.id, '')
  return counts.filter(({ outcome }) => outcome === 'missing').map(({ lines }) => lines)
}

test('lost records are counted once, however often their batch is tried', async t => {
  const bench = await DeliveryBench.open(t)
  await writeFile(join(bench.directory, 'gap'), '')
  const job = await bench.job({ destinationConf: bench.folder('gap') })
  const reader = without(bench, 2)
  await bench.write('a', 'lost', 'c')
  const delivery = bench.deliver({ reader, pace: { tickMs: 20, orderMs: 0, settleMs: 0, pausedRetryMs: 50 } })
  await eventually(() => assert.ok(bench.outcomes.length > 3))
  await rm(join(bench.directory, 'gap'))
  await eventually(async () => assert.deepEqual(await bench.ids('gap'), ['a', 'c']))
  await delivery.stop()
  assert.deepEqual(await missingOf(bench, job), [1])
})

test('a job without records to deliver counts missing records once, even if its position is not stored', async t => {
  const bench = await DeliveryBench.open(t)
  const filter = '{"where":{"key":"RayID","operator":"eq","value":"none"}}'
  const job = await bench.job({ destinationConf: bench.folder('idle'), filter })
  const reader = without(bench, 1, 2, 4)
  let failures = 3
  const store = storeWith(bench.store, {
    delivery: {
      async advance(moves) {
        const made = await bench.store.delivery.advance(moves)
        if (
          moves.some(({ cursors }) => [...cursors.values()].some(sequence => sequence > 0)) &&
          failures-- > 0
        )
          throw new StoreError('unavailable', 'it is written, and no reader is informed')
        return made
      },
    },
  })
  await bench.write('lost', 'lost', 'c', 'lost', 'e')
  const first = bench.deliver({ store, reader, onError: () => {} })
  await eventually(() => assert.ok(failures <= 0))
  await first.stop()
  await bench.deliver({ reader }).stop()
  assert.deepEqual(await missingOf(bench, job), [3])
  assert.deepEqual(
    await bench.store.delivery.cursors({ jobId: job.id, replay: 0 }),
    new Map([[await bench.partition(), 5]]),
  )
})

test('the position of an idle job is written once', async t => {
  const bench = await DeliveryBench.open(t)
  const filter = '{"where":{"key":"RayID","operator":"eq","value":"none"}}'
  const job = await bench.job({ destinationConf: bench.folder('idle'), filter })
  let [written, upkeeps] = [0, 0]
  const store = storeWith(bench.store, {
    delivery: {
      async advance(moves) {
        written += moves.length
        return bench.store.delivery.advance(moves)
      },
    },
  })
  const undeliveredShare = async () => {
    upkeeps++
    return 0
  }
  await bench.write('a', 'b')
  bench.deliver({ store, reader: { ...bench.watching(), undeliveredShare } })
  const run = { jobId: job.id, replay: 0 }
  const partition = await bench.partition()
  await eventually(async () => assert.equal((await bench.store.delivery.cursors(run)).get(partition), 2))
  const [before, from] = [written, upkeeps]
  await eventually(() => assert.ok(upkeeps > from + 3))
  assert.equal(written, before)
})

test('records missing before a batch are counted with it, although the position is not stored', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: bench.folder('later'), maxUploadIntervalSeconds: 0.05 })
  const store = storeWith(bench.store, { delivery: { advance: async () => [] } })
  await bench.write('lost', 'b')
  const delivery = bench.deliver({ store, reader: without(bench, 1, 3) })
  await eventually(async () => assert.deepEqual(await bench.ids('later'), ['b']))
  await bench.write('lost', 'd')
  await eventually(async () => assert.deepEqual(await bench.ids('later'), ['b', 'd']))
  await delivery.stop()
  assert.deepEqual(await missingOf(bench, job), [2])
})

test('lost records of a partition that is younger than the job are missing', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: bench.folder('young') })
  await bench.store.delivery.stop(job.id)
  await bench.write('lost', 'b')
  const delivery = bench.deliver({ reader: without(bench, 1) })
  await eventually(async () => assert.deepEqual(await bench.ids('young'), ['b']))
  await delivery.stop()
  assert.deepEqual(await missingOf(bench, job), [1])
})

test('a job that has nothing to deliver goes on in the next log when records of the last one are missing', async t => {
  const bench = await DeliveryBench.open(t)
  const filter = '{"where":{"key":"RayID","operator":"eq","value":"none"}}'
  const job = await bench.job({ destinationConf: bench.folder('idle'), filter })
  let busy = true
  let asked = 0
  const store = storeWith(bench.store, {
    delivery: {
      async advance(moves) {
        if (moves.some(({ missing }) => missing !== undefined)) asked++
        if (busy) throw new StoreError('unavailable', 'another process writes')
        return bench.store.delivery.advance(moves)
      },
    },
  })
  await bench.write('lost', 'b')
  bench.deliver({ store, reader: without(bench, 1), onError: () => {} })
  await eventually(() => assert.ok(asked > 0))
  await bench.writer.close()
  await rm(join(bench.directory, 'spool'), { recursive: true })
  const log = openLocalRecordLog(join(bench.directory, 'spool'), () => {})
  const to = await log.writer('edge-1')
  for (const id of ['x', 'y', 'z']) bench.append(id, { to })
  await to.close()
  const [partition] = await (await log.reader()).partitions()
  // Long enough for the reader to leave the log that is gone.
  await setTimeout(300)
  busy = false
  await eventually(async () =>
    assert.equal((await bench.store.delivery.cursors({ jobId: job.id, replay: 0 })).get(partition!), 3),
  )
  assert.deepEqual(await missingOf(bench, job), [2])
  await log.close()
})
