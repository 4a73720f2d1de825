import assert from 'node:assert/strict'
import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openLocalRecordLog, type RecordLog } from '../../bus/index.ts'
import { DeliveryBench, eventually } from '../testing/delivery.ts'

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n + 1}`)

/** The bench's spool as it is after this: opened again, as by the next process. */
function openSpool(bench: DeliveryBench): RecordLog {
  return openLocalRecordLog(join(bench.directory, 'spool'), () => {})
}

async function write(bench: DeliveryBench, log: RecordLog, ...ids: readonly string[]): Promise<void> {
  const to = await log.writer('edge-1')
  for (const id of ids) bench.append(id, { to })
  await to.close()
}

test('a recreated log is read from its start, and the reset is counted once', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: bench.folder('out') })
  const first = bench.deliver()
  await bench.write(...names('old', 100))
  await bench.later(async () => assert.equal((await bench.ids('out')).length, 100))
  await first.stop()
  await bench.log.close()

  await rename(join(bench.directory, 'spool'), join(bench.directory, 'lost'))
  const log = openSpool(bench)
  await write(bench, log, ...names('new', 150))
  for (let starts = 1; starts <= 2; starts++) {
    const delivery = bench.deliver({ reader: await log.reader() })
    await bench.later(async () =>
      assert.deepEqual(
        (await bench.ids('out')).filter(id => id.startsWith('new')),
        names('new', 150).sort(),
      ),
    )
    await delivery.stop()
  }
  assert.deepEqual(
    bench.resets.map(({ jobId, sequence }) => [jobId, sequence]),
    [[job.id, 100]],
  )
  const counts = await bench.store.delivery.counts(job.id, '')
  assert.deepEqual(
    counts.filter(({ outcome }) => outcome === 'reset').map(({ uploads, lines }) => [uploads, lines]),
    [[1, 0]],
  )
  await log.close()
})

test('a log restored from a copy is followed again', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: bench.folder('out') })
  await bench.write('a', 'b')
  await bench.log.close()
  const [spool, kept] = [join(bench.directory, 'spool'), join(bench.directory, 'kept')]
  const runs = async (delivered: readonly string[], id?: string) => {
    const log = openSpool(bench)
    if (id !== undefined) await write(bench, log, id)
    const delivery = bench.deliver({ reader: await log.reader() })
    await bench.later(async () => assert.deepEqual(await bench.ids('out'), delivered))
    await bench.refreshed(delivery)
    await delivery.stop()
    assert.deepEqual(await bench.ids('out'), delivered)
    await log.close()
  }
  await runs(['a', 'b'])
  await rename(spool, kept)
  await runs(['a', 'b', 'c'], 'c')
  rmSync(spool, { recursive: true })
  await rename(kept, spool)
  // The destination has the first batch by its name.
  await runs(['a', 'b', 'c'])
  await runs(['a', 'b', 'c', 'd'], 'd')
  const cursors = await bench.store.delivery.cursors({ jobId: job.id, replay: 0 })
  assert.deepEqual([...cursors.values()], [3])
})

test('a log that is recreated while delivery runs is followed', async t => {
  const bench = await DeliveryBench.open(t)
  await bench.job({ destinationConf: bench.folder('out') })
  bench.deliver()
  await bench.write(...names('old', 5))
  await bench.later(async () => assert.equal((await bench.ids('out')).length, 5))
  await bench.writer.close()
  rmSync(join(bench.directory, 'spool'), { recursive: true })
  const log = openSpool(bench)
  await write(bench, log, ...names('new', 3))
  await bench.later(async () => assert.equal((await bench.ids('out')).length, 8))
  await eventually(() => assert.equal(bench.resets.length, 1))
  await write(bench, log, 'more')
  await bench.later(async () => assert.equal((await bench.ids('out')).length, 9))
  assert.equal(bench.resets.length, 1)
  await log.close()
})

test('a log that has lost its end is read from its start, and continues', async t => {
  const bench = await DeliveryBench.open(t)
  await bench.job({ destinationConf: bench.folder('out') })
  const first = bench.deliver()
  await bench.write('kept')
  const kept = join(bench.directory, 'spool', 'edge-1', '0000000000000001.log')
  const bytes = statSync(kept).size
  await bench.write(...names('lost', 9))
  await bench.later(async () => assert.equal((await bench.ids('out')).length, 10))
  await first.stop()
  await bench.log.close()

  truncateSync(kept, bytes)
  rmSync(join(bench.directory, 'spool', 'edge-1', 'delivered'))
  const log = openSpool(bench)
  const delivery = bench.deliver({ reader: await log.reader() })
  await eventually(() => assert.equal(bench.resets.length, 1))
  await write(bench, log, ...names('new', 3))
  await bench.later(async () => {
    const ids = await bench.ids('out')
    assert.deepEqual(
      ids.filter(id => !id.startsWith('lost')),
      ['kept', 'kept', 'new1', 'new2', 'new3'],
    )
  })
  await delivery.stop()
  await log.close()
})

test('a batch that was open when its log was lost is missing, and contains no records of the new one', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: 'http://127.0.0.1:1/away' })
  const first = bench.deliver()
  await bench.write(...names('old', 4))
  await bench.later(async () =>
    assert.ok((await bench.store.delivery.openBatchOf({ jobId: job.id, replay: 0 })) !== undefined),
  )
  await first.stop()
  await bench.log.close()
  rmSync(join(bench.directory, 'spool'), { recursive: true })
  const log = openSpool(bench)
  await write(bench, log, ...names('new', 10))
  await bench.store.jobs.update({ ...(await bench.now(job)), destinationConf: bench.folder('out') })
  const second = bench.deliver({ reader: await log.reader() })
  await bench.later(async () => assert.deepEqual(await bench.ids('out'), names('new', 10).sort()))
  await second.stop()
  const counts = await bench.store.delivery.counts(job.id, '')
  assert.deepEqual(
    counts.filter(({ outcome }) => outcome === 'missing').map(({ lines }) => lines),
    [4],
  )
  await log.close()
})

test('a batch that was open when its log got an epoch is delivered once', async t => {
  const bench = await DeliveryBench.open(t)
  // As an earlier version has left it.
  const epoch = join(bench.directory, 'spool', 'edge-1', 'epoch')
  rmSync(epoch)
  const job = await bench.job({ destinationConf: 'http://127.0.0.1:1/away' })
  const run = { jobId: job.id, replay: 0 }
  const first = bench.deliver()
  await bench.write(...names('old', 4))
  await bench.later(async () =>
    assert.equal((await bench.store.delivery.openBatchOf(run))?.ranges[0]?.partition, 'edge-1'),
  )
  await first.stop()
  writeFileSync(epoch, '1a2b3c4d\n')
  await bench.store.jobs.update({ ...(await bench.now(job)), destinationConf: bench.folder('out') })
  bench.deliver()
  await bench.write('new')
  await bench.later(async () => assert.equal((await bench.ids('out')).includes('new'), true))
  assert.deepEqual(await bench.ids('out'), ['new', ...names('old', 4)])
  await eventually(async () =>
    assert.deepEqual(await bench.store.delivery.cursors(run), new Map([['edge-1.1a2b3c4d', 5]])),
  )
})
