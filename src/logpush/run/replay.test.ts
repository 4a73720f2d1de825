import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Replay } from '../../model/resource.ts'
import { type Store, StoreError } from '../../store/index.ts'
import { ReplayRangeError, reportJob, requestReplay } from '../jobs/operations.ts'
import { DeliveryBench, eventually, idsIn } from '../testing/delivery.ts'

async function replayOf(
  bench: DeliveryBench,
  job: Parameters<typeof requestReplay>[1],
  startMs: number,
  endMs: number,
) {
  const [start, end] = [startMs, endMs].map(ms => new Date(ms).toISOString()) as [string, string]
  return requestReplay(bench, job, { start, end, startMs, endMs }, Date.now())
}

function ended(store: Store, { jobId, id }: Replay, status: Replay['status']): Promise<void> {
  return eventually(async () => assert.equal((await store.replays.get(jobId, id))!.status, status))
}

test('a range of time is delivered again, under separate names, independent of the live delivery', async t => {
  const bench = await DeliveryBench.open(t)
  const filter = '{"where":{"key":"RayID","operator":"!startsWith","value":"not"}}'
  const job = await bench.job({ destinationConf: bench.folder('replay'), filter })
  await bench.write('early', 'not wanted')
  await sleep(20)
  const startMs = Date.now()
  await sleep(5)
  await bench.write('a', 'not b', 'c')
  await sleep(20)
  const endMs = Date.now()
  await sleep(5)
  await bench.write('late')
  const delivery = bench.deliver()
  await eventually(async () => assert.deepEqual(await bench.ids('replay'), ['a', 'c', 'early', 'late']))
  const live = await bench.files('replay')
  await rm(join(bench.directory, 'replay'), { recursive: true })

  const first = await replayOf(bench, job, startMs, endMs)
  assert.equal(first.retainedSince, null)
  delivery.refresh()
  await ended(bench.store, first, 'completed')
  assert.deepEqual(await bench.ids('replay'), ['a', 'c'])
  const done = (await bench.store.replays.get(job.id, first.id))!
  assert.deepEqual(
    { lines: done.lines, objects: done.objects, errorMessage: done.errorMessage },
    { lines: 2, objects: 1, errorMessage: null },
  )

  const everything = await replayOf(bench, job, 0, Date.now())
  assert.notEqual(everything.retainedSince, null, 'earlier records are unknown')
  delivery.refresh()
  await ended(bench.store, everything, 'completed')
  const files = await bench.files('replay')
  assert.deepEqual(files.flatMap(({ content }) => idsIn(content)).toSorted(), [
    'a',
    'a',
    'c',
    'c',
    'early',
    'late',
  ])
  assert.equal(new Set([...live, ...files].map(({ name }) => name)).size, 3)
})

test('a range without stored records is refused', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: bench.folder('none') })
  await assert.rejects(replayOf(bench, job, 0, Date.now()), ReplayRangeError)
  await bench.write('a')
  await assert.rejects(replayOf(bench, job, 0, 1000), /the oldest stored record was received at 20/)
  assert.deepEqual(await bench.store.replays.list(job.id), [])
})

test('a replay continues after a crash, fails on a permanent error, and ends with its job', async t => {
  const bench = await DeliveryBench.open(t)
  await writeFile(join(bench.directory, 'blocked'), '')
  const job = await bench.job({ destinationConf: bench.folder('replay'), maxUploadRecords: 2 })
  await bench.write('a', 'b', 'c', 'd', 'e')
  const replay = await replayOf(bench, job, 0, Date.now() + 1)
  let closed = 0
  const dying: Store = {
    ...bench.store,
    delivery: {
      ...bench.store.delivery,
      closeBatch: async (batch, object) => {
        if (batch.replay !== 0 && ++closed > 1) throw new StoreError('unavailable', 'the process is dead')
        return bench.store.delivery.closeBatch(batch, object)
      },
    },
  }
  const dead = bench.deliver({ store: dying, onError: () => {} })
  await eventually(() => assert.ok(closed > 1))
  await dead.stop()
  bench.deliver()
  await ended(bench.store, replay, 'completed')
  const ids = await bench.ids('replay')
  assert.deepEqual(ids, ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd', 'e', 'e'])

  await bench.store.jobs.update({ ...(await bench.now(job)), destinationConf: bench.folder('blocked') })
  const failing = await replayOf(bench, job, 0, Date.now())
  bench.deliver()
  await ended(bench.store, failing, 'failed')
  assert.match((await bench.store.replays.get(job.id, failing.id))!.errorMessage!, /ENOTDIR/)

  const canceled = await replayOf(bench, job, 0, Date.now())
  await bench.disable(job)
  assert.equal((await bench.store.replays.get(job.id, canceled.id))!.status, 'canceled')
})

test('a new job may begin in the past, and catches up with the others', async t => {
  const bench = await DeliveryBench.open(t)
  const other = await bench.job({ destinationConf: bench.folder('other') })
  await bench.write('too early')
  await sleep(20)
  const fromMs = Date.now()
  await sleep(5)
  await bench.write('a', 'b')
  const delivery = bench.deliver()
  await eventually(async () => assert.equal((await bench.ids('other')).length, 3))
  await bench.job({ destinationConf: bench.folder('new') }, fromMs)
  delivery.refresh()
  await eventually(async () => assert.deepEqual(await bench.ids('new'), ['a', 'b']))
  await bench.write('c')
  await bench.later(async () => assert.deepEqual(await bench.ids('new'), ['a', 'b', 'c']))
  await bench.later(async () => assert.equal((await bench.ids('other')).length, 4))
  assert.equal((await bench.now(other)).errorMessage, null)
})

test('objects hold one hour where their folder names it, and a manifest lists the objects of a past hour', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: `${bench.folder('{DATE}/{HOUR}')}?manifest=hourly` })
  await bench.write('a', 'b')
  const [record] = await bench.reader.read('edge-1', 0, { records: 1, bytes: 1 })
  const hour = new Date(record!.receivedMs).toISOString().slice(0, 13)
  const folder = join(hour.slice(0, 10).replaceAll('-', ''), hour.slice(11))
  bench.deliver()
  await eventually(async () => assert.deepEqual(await bench.ids(folder), ['a', 'b']))
  const [object] = await bench.files(folder)
  bench.aheadMs += 3_600_000
  const manifest = `${folder.replace('/', 'T')}_manifest.json`
  await eventually(async () =>
    assert.deepEqual(
      (await readdir(join(bench.directory, folder))).toSorted(),
      [object!.name, manifest].toSorted(),
    ),
  )
  const listed = JSON.parse(await readFile(join(bench.directory, folder, manifest), 'utf8'))
  assert.equal(listed.job_id, job.id)
  assert.equal(listed.lines, 2)
  assert.equal(listed.objects.length, 1)
  assert.equal(listed.objects[0].path, join(bench.directory, folder, object!.name))
  assert.match(listed.objects[0].sha256, /^[0-9a-f]{64}$/)
})

test('a report states the progress of a job', async t => {
  const bench = await DeliveryBench.open(t)
  await writeFile(join(bench.directory, 'blocked'), '')
  const good = await bench.job({ destinationConf: bench.folder('good') })
  const bad = await bench.job({ destinationConf: bench.folder('blocked') })
  await bench.write('a', 'b')
  const delivery = bench.deliver()
  await eventually(async () => assert.equal((await bench.now(bad)).paused, true))
  await eventually(async () => {
    const report = await reportJob(bench, await bench.now(good), '')
    assert.equal(report.oldestUndelivered, null)
    assert.deepEqual(
      report.counts.map(({ outcome, uploads, lines }) => ({ outcome, uploads, lines })),
      [{ outcome: 'successful', uploads: 1, lines: 2 }],
    )
    assert.equal(report.state, 'running')
  })
  const report = await reportJob(bench, await bench.now(bad), '')
  assert.equal(report.state, 'paused')
  assert.match(report.oldestUndelivered!, /^20/)
  const lags = new Map(delivery.lags().map(lag => [lag.jobId, lag]))
  assert.equal(lags.get(good.id)!.lagSeconds, 0)
  assert.ok(lags.get(bad.id)!.lagSeconds > 0)
  await bench.disable(bad)
  assert.equal((await reportJob(bench, await bench.now(bad), '')).state, 'disabled')
})
