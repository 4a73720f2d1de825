import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLocalRecordLog, type RecordLogFault, type RecordWriter } from '../../bus/index.ts'
import { aJob } from '../../store/testing/data.ts'
import { reportJob, startJob } from '../jobs/operations.ts'
import { DeliveryBench, eventually } from '../testing/delivery.ts'
import type { Loss } from './losses.ts'

/** Records that the quota takes from jobs that have not delivered. */

const kibibyte = 1024

test('records of a paused job are not deleted first, and their loss is reported with the job and the count', async t => {
  const bench = await DeliveryBench.open(t)
  const faults: RecordLogFault[] = []
  const policy = { sync: 'never', bytes: 600 * kibibyte, full: 'drop-oldest', ageMs: 3_600_000 } as const
  const spool = openLocalRecordLog(join(bench.directory, 'small'), fault => faults.push(fault), policy)
  t.after(() => spool.close())
  const [writer, reader] = [await spool.writer('edge-1'), await spool.reader()]
  const write = padded(bench, writer)
  const backends = { store: bench.store, reader }
  // Delivered before the job that fails was there.
  await write(60)
  const destinationConf = bench.folder('blocked')
  const job = await bench.store.jobs.insert(aJob(bench.scope, { destinationConf, enabled: false }))
  writeFileSync(join(bench.directory, 'blocked'), '')
  await startJob(backends, job)
  await bench.store.jobs.update({ ...job, enabled: true })
  const losses: Loss[] = []
  const lost = () => losses.reduce((sum, { records }) => sum + records, 0)
  const delivery = bench.deliver({ reader, onLoss: loss => losses.push(loss) })
  await write(20)
  await eventually(async () => assert.equal((await bench.now(job)).paused, true))
  await eventually(async () => assert.equal((await reader.stats())[0]!.delivered, 60))
  // Delivered records are deleted in favour of undelivered ones.
  await write(40)
  assert.deepEqual([lost(), faults.length], [0, 0])
  await write(200)
  await eventually(() => assert.ok(lost() > 0))
  const gone = async () => (await reader.stats())[0]!.first - 1 - 60
  await eventually(async () => assert.equal(lost(), await gone()))
  assert.deepEqual([...new Set(losses.map(({ jobId }) => jobId))], [job.id])
  assert.equal((await reportJob(backends, await bench.now(job), '')).lost, lost())
  rmSync(join(bench.directory, 'blocked'))
  await bench.store.jobs.update(await bench.now(job))
  delivery.refresh()
  await eventually(async () => assert.ok((await bench.files('blocked')).length > 0))
  const before = lost()
  await eventually(async () => {
    const { counts, lost } = await reportJob(backends, await bench.now(job), '')
    const missing = counts
      .filter(({ outcome }) => outcome === 'missing')
      .reduce((sum, { lines }) => sum + lines, 0)
    assert.deepEqual([missing, lost], [before, 0])
  })
})

for (const full of ['drop-oldest', 'refuse-requests'] as const)
  test(`a log that fills within the interval of a job loses and refuses nothing: ${full}`, async t => {
    const bench = await DeliveryBench.open(t)
    const faults: RecordLogFault[] = []
    const policy = { sync: 'never', bytes: 1024 * kibibyte, full, ageMs: 3_600_000 } as const
    const spool = openLocalRecordLog(join(bench.directory, 'small'), fault => faults.push(fault), policy)
    t.after(() => spool.close())
    const [writer, reader] = [await spool.writer('edge-1'), await spool.reader()]
    const write = padded(bench, writer)
    const shape = {
      maxUploadIntervalSeconds: 300,
      filter: '{"where":{"key":"RayID","operator":"eq","value":"0"}}',
    }
    const job = await bench.store.jobs.insert(
      aJob(bench.scope, { ...shape, destinationConf: bench.folder('logs'), enabled: false }),
    )
    await startJob({ store: bench.store, reader }, job)
    await bench.store.jobs.update({ ...job, enabled: true })
    bench.deliver({ reader, onLoss: ({ records }) => assert.fail(`${records} records were lost`) })
    // The first object begins the interval; the next batch has one line and waits for more.
    await write(1, 0)
    await eventually(async () => assert.equal((await bench.ids('logs')).length, 1))
    await write(1, 0)
    for (let n = 0; n < 20; n++) {
      await write(20)
      assert.equal(writer.full, undefined)
      await eventually(async () => assert.ok((await reader.undeliveredShare()) < 0.75))
    }
    assert.deepEqual(await bench.ids('logs'), ['0', '0'])
    assert.deepEqual(faults, [])
  })

test('while a failing job fills the log, a job that is up to date keeps its interval', async t => {
  const bench = await DeliveryBench.open(t)
  const policy = {
    sync: 'never',
    bytes: 4096 * kibibyte,
    full: 'drop-oldest',
    ageMs: 3_600_000,
  } as const
  const spool = openLocalRecordLog(
    join(bench.directory, 'small'),
    ({ message }) => assert.fail(message),
    policy,
  )
  t.after(() => spool.close())
  const [writer, reader] = [await spool.writer('edge-1'), await spool.reader()]
  const write = padded(bench, writer)
  for (const name of ['blocked', 'logs']) {
    const changes = { destinationConf: bench.folder(name), maxUploadIntervalSeconds: 300, enabled: false }
    const job = await bench.store.jobs.insert(aJob(bench.scope, changes))
    await startJob({ store: bench.store, reader }, job)
    await bench.store.jobs.update({ ...job, enabled: true })
  }
  writeFileSync(join(bench.directory, 'blocked'), '')
  bench.deliver({ reader })
  // The writer learns the size of its segments a moment after the first record.
  await write(1)
  await sleep(200)
  for (let n = 0; n < 25; n++) await write(20)
  await bench.later(async () => assert.equal((await bench.ids('logs')).length, 501))
  const before = (await bench.files('logs')).length
  const share = await reader.undeliveredShare()
  assert.ok(share > 0.5 && share < 1, `${share} of the quota`)
  // Upkeep runs several times between these.
  for (let n = 0; n < 5; n++) {
    await write(20)
    await sleep(150)
  }
  assert.equal((await bench.files('logs')).length, before)
})

/** Writes so many records of some 4 KB, numbered from 1 on unless a number is given. */
function padded(bench: DeliveryBench, writer: RecordWriter) {
  const { id: zone, accountId: account } = bench.zone
  let written = 0
  return async (records: number, number?: number) => {
    for (const end = written + records; written < end; ) {
      written++
      const fields = { RayID: String(number ?? written), ClientRequestURI: 'x'.repeat(4000) }
      writer.append(JSON.stringify({ zone, account, dataset: 'http_requests', fields }))
    }
    await writer.flush()
  }
}
