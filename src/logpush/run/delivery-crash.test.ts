import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { RecordReader } from '../../bus/index.ts'
import { type DeliveryBatch, type Store, StoreError } from '../../store/index.ts'
import { shapeOf } from '../batch/shape.ts'
import { objectName, objectSpan } from '../output/object-name.ts'
import { DeliveryBench, eventually, idsIn } from '../testing/delivery.ts'

/** A process that dies between the upload of a batch and the moving of the cursor. */
function dying(store: Store, opened: DeliveryBatch[]): Store {
  const dead = () => Promise.reject(new StoreError('unavailable', 'the process is dead'))
  return {
    ...store,
    delivery: {
      ...store.delivery,
      openBatch: async (batch, revision) => {
        await store.delivery.openBatch(batch, revision)
        opened.push(batch)
      },
      closeBatch: dead,
    },
  }
}

test('an open batch is written again to its name, with its bytes', async t => {
  const bench = await DeliveryBench.open(t)
  const second = await bench.log.writer('edge-2')
  const job = await bench.job({ destinationConf: bench.folder('again') })
  for (const id of ['a', 'b', 'c']) {
    bench.append(id)
    bench.append(`${id}2`, { to: second })
    await bench.writer.flush()
    await second.flush()
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  const opened: DeliveryBatch[] = []
  const dead = bench.deliver({ store: dying(bench.store, opened), onError: () => {} })
  await eventually(async () => assert.equal((await bench.files('again')).length, 1))
  await dead.stop()
  const [first] = await bench.files('again')
  assert.equal(first!.name, opened[0]!.objectName)
  assert.deepEqual(idsIn(first!.content), ['a', 'a2', 'b', 'b2', 'c', 'c2'], 'in the order of their receipt')
  const { lease: _, ...batch } = opened[0]!
  assert.deepEqual(await bench.store.delivery.openBatchOf({ jobId: job.id, replay: 0 }), batch)
  await rm(join(bench.directory, 'again'), { recursive: true })

  // Neither later records nor a change of the job find their way into it.
  await bench.write('d')
  const filter = '{"where":{"key":"RayID","operator":"eq","value":"d"}}'
  await bench.store.jobs.update({
    ...(await bench.now(job)),
    logpullOptions: 'fields=ClientIP,RayID',
    filter,
  })
  bench.deliver()
  await eventually(async () => assert.equal((await bench.ids('again')).length, 6))
  assert.deepEqual(await bench.files('again'), [first])
  await bench.later(async () => assert.equal((await bench.ids('again')).at(-1), 'd'))
  await eventually(async () => {
    const cursors = await bench.store.delivery.cursors({ jobId: job.id, replay: 0 })
    assert.deepEqual(
      [...cursors],
      [
        [await bench.partition('edge-1'), 4],
        [await bench.partition('edge-2'), 3],
      ],
    )
  })
  assert.equal(await bench.store.delivery.openBatchOf({ jobId: job.id, replay: 0 }), undefined)
})

test('lost records of a batch are counted, and later records do not replace them', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: bench.folder('gap') })
  await bench.write('a', 'lost', 'lost too', 'd', 'e')
  const ranges = [{ partition: await bench.partition(), first: 1, last: 3 }]
  const run = { jobId: job.id, replay: 0 }
  await bench.store.delivery.openBatch(
    {
      ...run,
      ranges,
      objectName: objectName({ ...run, scope: job.scope, ranges, shape: '' }, objectSpan(0, 0), '.log.gz'),
      shape: JSON.stringify(shapeOf(job, null)),
      lines: 3,
      openedOn: '2026-01-01T00:00:00.000Z',
    },
    (await bench.now(job)).revision,
  )
  const gapped: RecordReader = {
    ...bench.watching(),
    read: async (partition, sequence, limits) => {
      const records = await bench.reader.read(partition, sequence, { ...limits, records: limits.records + 2 })
      return records.filter(record => ![2, 3].includes(record.sequence)).slice(0, limits.records)
    },
  }
  const delivery = bench.deliver({ reader: gapped })
  await eventually(async () => assert.deepEqual(await bench.ids('gap'), ['a']))
  await delivery.stop()
  assert.deepEqual(await bench.ids('gap'), ['a', 'd', 'e'])
  const missing = (await bench.store.delivery.counts(job.id, '')).filter(
    ({ outcome }) => outcome === 'missing',
  )
  assert.deepEqual(
    missing.map(({ lines, uploads }) => ({ lines, uploads })),
    [{ lines: 2, uploads: 0 }],
  )
})

test('nothing overtakes a batch that could not be stored, even when delivery is stopped meanwhile', async t => {
  const bench = await DeliveryBench.open(t)
  await bench.job({ destinationConf: bench.folder('order'), maxUploadRecords: 2 })
  const ids = Array.from({ length: 3 }, (_, n) => `r${n}`)
  await bench.write(...ids)
  const first = { asked: Promise.withResolvers<void>(), refused: Promise.withResolvers<void>() }
  let calls = 0
  const failing: Store = {
    ...bench.store,
    delivery: {
      ...bench.store.delivery,
      openBatch: async (batch, revision) => {
        if (++calls > 1) return bench.store.delivery.openBatch(batch, revision)
        first.asked.resolve()
        await first.refused.promise
        throw new StoreError('unavailable', 'the database is away')
      },
    },
  }
  const stopping = bench.deliver({ store: failing, onError: () => {} })
  await first.asked.promise
  // The next batch collects meanwhile.
  await new Promise(resolve => setTimeout(resolve, 100))
  const stopped = stopping.stop()
  await new Promise(resolve => setTimeout(resolve, 100))
  first.refused.resolve()
  await stopped
  bench.deliver()
  await eventually(async () => assert.deepEqual(await bench.ids('order'), ids))
})
