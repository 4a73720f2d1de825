import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type S3Server, s3Credentials, startS3 } from '../../test/support/s3-server.ts'
import { openLocalRecordLog, type RecordLog, type RecordReader, type RecordWriter } from '../bus/index.ts'
import type { LogpushJob } from '../model/resource.ts'
import { type DeliveryBatch, openSqliteStore, type Store, StoreError } from '../store/index.ts'
import { aJob, zoneIn } from '../store/test-data.ts'
import { startDelivery, startJob } from './index.ts'
import { objectName } from './object-name.ts'
import type { Delivery, DeliveryDeps } from './types.ts'

/** Delivery over a real store, a real record log and real destinations; the clock alone is ours. */

let directory: string
let store: Store
let log: RecordLog
let reader: RecordReader
let writer: RecordWriter
let zoneId: string
let running: Delivery[]
/** Ahead of the system's clock, so that no record is too young to be delivered. */
let aheadMs: number
let s3: S3Server | undefined

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-delivery-'))
  store = await openSqliteStore(join(directory, 'sluice.db'), { migrate: true })
  log = openLocalRecordLog(join(directory, 'spool'), fault => assert.fail(fault.message))
  reader = await log.reader()
  writer = await log.writer('edge-1')
  zoneId = (await zoneIn(store)).id
  running = []
  aheadMs = 10_000
})

afterEach(async () => {
  for (const delivery of running) await delivery.stop()
  await log.close()
  await store.close()
  await rm(directory, { recursive: true, force: true })
})

after(() => s3?.close())

test('a job gets the records of its zone and its filter, each once', async () => {
  s3 = await startS3(['logs'])
  const otherZone = (await zoneIn(store)).id
  const second = await log.writer('edge-2')
  const filter = '{"where":{"key":"EdgeResponseStatus","operator":"lt","value":400}}'
  await aRunningJob({ destinationConf: s3Destination(s3, 'kept'), filter })
  await aRunningJob({ destinationConf: folder('all'), zoneId: otherZone })
  const want: string[] = []
  const writeSome = async (from: number) => {
    for (let n = from; n < from + 20; n++) {
      append(`kept-${n}`, { status: 200 + (n % 2) })
      append(`dropped-${n}`, { status: 400 + (n % 2) })
      append(`elsewhere-${n}`, { zone: otherZone, to: second })
      append(`other-dataset-${n}`, { dataset: 'firewall_events' })
      append(`second-${n}`, { to: second })
      want.push(`kept-${n}`, `second-${n}`)
    }
    await writer.flush()
    await second.flush()
  }
  await writeSome(0)
  const delivery = deliver()
  await eventually(async () => assert.equal((await s3!.lines('logs')).length, want.length))
  await writeSome(20)
  aheadMs += 60_000
  await eventually(async () => assert.equal((await s3!.lines('logs')).length, want.length))
  await delivery.stop()

  const got = (await s3.lines('logs')).map(line => line['RayID'] as string)
  assert.deepEqual(got.toSorted(), want.toSorted())
  for (const key of await s3.keys('logs')) {
    const ids: string[] = idsIn(await s3.read('logs', key))
    const numbers = ids.map(id => Number(id.split('-')[1]))
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
      key,
    )
  }
  assert.deepEqual(await idsBelow('all'), Array.from({ length: 40 }, (_, n) => `elsewhere-${n}`).toSorted())
})

test('a broken destination holds up its own job only, says why, and heals', async () => {
  // Below a file, so that nothing can be written.
  await writeFile(join(directory, 'blocked'), '')
  const broken = await aRunningJob({ destinationConf: folder('blocked') })
  const sound = await aRunningJob({ destinationConf: folder('sound') })
  append('one')
  await writer.flush()
  const delivery = deliver()
  await eventually(async () => {
    assert.deepEqual(await idsBelow('sound'), ['one'])
    assert.notEqual((await jobNow(sound)).lastComplete, null)
    assert.notEqual((await jobNow(broken)).errorMessage, null)
  })
  const failed = await jobNow(broken)
  assert.match(failed.errorMessage ?? '', /blocked.* cannot be written: ENOTDIR/)
  assert.match(failed.lastError ?? '', /^\d{4}-\d\d-\d\dT/)
  assert.equal(failed.lastComplete, null)
  const healthy = await jobNow(sound)
  assert.equal(healthy.errorMessage, null)
  assert.equal(healthy.lastError, null)

  append('two')
  await writer.flush()
  aheadMs += 60_000
  await eventually(async () => assert.deepEqual(await idsBelow('sound'), ['one', 'two']))
  await eventually(async () =>
    assert.ok((await jobNow(sound)).lastComplete! > healthy.lastComplete!, 'last_complete moves'),
  )

  await rm(join(directory, 'blocked'))
  delivery.refresh()
  await eventually(async () => {
    const healed = await jobNow(broken)
    assert.equal(healed.errorMessage, null)
    assert.equal(healed.lastError, null)
    assert.notEqual(healed.lastComplete, null)
  })
  aheadMs += 60_000
  await eventually(async () => assert.deepEqual(await idsBelow('blocked'), ['one', 'two']))
})

test('no batch is longer than the job wants, and a full one is followed at once', async () => {
  const rows = [
    { records: 29, want: [9, 10, 10] },
    { records: 30, want: [10, 10, 10] },
    { records: 31, want: [1, 10, 10, 10] },
  ]
  for (const { records, want } of rows) {
    const name = `batches-${records}`
    const job = await aRunningJob({ destinationConf: folder(name), maxUploadRecords: 10 })
    for (let n = 0; n < records; n++) append(`r-${n}`)
    await writer.flush()
    const delivery = deliver()
    await eventually(async () => assert.equal((await idsBelow(name)).length, records))
    await delivery.stop()
    const lengths = (await filesBelow(name)).map(({ content }) => idsIn(content).length)
    assert.deepEqual(
      lengths.toSorted((a, b) => a - b),
      want,
    )
    await store.jobs.delete(zoneId, job.id)
  }
})

test('a batch that was opened and not closed is written again to its name, with its bytes', async () => {
  const job = await aRunningJob({ destinationConf: folder('replayed') })
  for (const id of ['a', 'b', 'c']) append(id)
  await writer.flush()
  const opened: DeliveryBatch[] = []
  // The process dies between the upload and the moving of the cursor.
  const dying: Store = {
    ...store,
    delivery: {
      ...store.delivery,
      openBatch: async batch => {
        await store.delivery.openBatch(batch)
        opened.push(batch)
      },
      closeBatch: () => Promise.reject(new StoreError('unavailable', 'the process is dead')),
    },
  }
  const dead = deliver({ store: dying })
  await eventually(async () => assert.equal((await filesBelow('replayed')).length, 1))
  await dead.stop()
  const [first] = await filesBelow('replayed')
  assert.equal(first!.name, opened[0]!.objectName)
  assert.deepEqual(await store.delivery.openBatches(job.id), opened)
  await rm(join(directory, 'replayed'), { recursive: true })

  // Neither later records nor a change of the job find their way into it.
  append('d')
  await writer.flush()
  const filter = '{"where":{"key":"RayID","operator":"eq","value":"d"}}'
  await store.jobs.update({ ...(await jobNow(job)), logpullOptions: 'fields=ClientIP,RayID', filter })
  deliver()
  await eventually(async () => assert.deepEqual(await idsBelow('replayed'), ['a', 'b', 'c']))
  assert.deepEqual(await filesBelow('replayed'), [first])
  aheadMs += 60_000
  await eventually(async () => assert.deepEqual(await idsBelow('replayed'), ['a', 'b', 'c', 'd']))
  assert.deepEqual(await store.delivery.cursors(job.id), [
    { jobId: job.id, partition: 'edge-1', sequence: 4 },
  ])
  assert.deepEqual(await store.delivery.openBatches(job.id), [])
})

test('records of a batch that are lost are not made up for by those behind it', async () => {
  const job = await aRunningJob({ destinationConf: folder('gap') })
  for (const id of ['a', 'lost', 'lost too', 'd', 'e']) append(id)
  await writer.flush()
  const range = { jobId: job.id, partition: 'edge-1', firstSequence: 1, lastSequence: 3 }
  const { zoneId: zone, dataset, filter, logpullOptions, outputOptions } = job
  await store.delivery.openBatch({
    ...range,
    objectName: objectName({ ...range, zoneId: zone, startMs: 0, endMs: 0 }),
    shape: JSON.stringify({ zoneId: zone, dataset, filter, logpullOptions, outputOptions }),
    openedOn: '2026-01-01T00:00:00.000Z',
  })
  const gapped: RecordReader = {
    ...watching(),
    read: async (partition, sequence, limits) => {
      const records = await reader.read(partition, sequence, { ...limits, records: limits.records + 2 })
      return records.filter(record => ![2, 3].includes(record.sequence)).slice(0, limits.records)
    },
  }
  const delivery = deliver({ reader: gapped })
  await eventually(async () => assert.deepEqual(await idsBelow('gap'), ['a']))
  await delivery.stop()
  assert.deepEqual(await idsBelow('gap'), ['a', 'd', 'e'])
})

test('a new job begins with the next record, also in partitions that come later', async () => {
  append('before')
  await writer.flush()
  await aRunningJob({ destinationConf: folder('new') })
  const later = await log.writer('edge-2')
  append('after-1')
  append('after-2', { to: later })
  await writer.flush()
  await later.flush()
  deliver()
  await eventually(async () => assert.deepEqual(await idsBelow('new'), ['after-1', 'after-2']))
})

test('an object is framed once, whatever it holds, and a sample of it is the same each time', async () => {
  const outputOptions = {
    field_names: ['RayID', 'EdgeResponseStatus'],
    output_type: 'csv',
    batch_prefix: 'ray,status\n',
    batch_suffix: 'end\n',
    record_suffix: '',
    record_delimiter: '\n',
  }
  const sampled = { ...outputOptions, sample_rate: 0.5 }
  const filter = '{"where":{"key":"EdgeResponseStatus","operator":"geq","value":400}}'
  await aRunningJob({ destinationConf: folder('framed'), filter, outputOptions })
  for (const name of ['half', 'same half'])
    await aRunningJob({ destinationConf: folder(name), outputOptions: sampled })
  await aRunningJob({
    destinationConf: folder('nothing'),
    filter: filter.replace('400', '600'),
    outputOptions,
  })
  // More than are read at a time.
  for (let i = 0; i < 1200; i++) append(`r${i}`, { status: i % 400 === 0 ? 503 : 200 })
  await writer.flush()
  deliver()
  await eventually(async () => {
    for (const name of ['framed', 'half', 'same half']) assert.equal((await filesBelow(name)).length, 1, name)
  })
  const textOf = async (name: string) => gunzipSync((await filesBelow(name))[0]!.content).toString('utf8')
  assert.equal(await textOf('framed'), 'ray,status\n"r0",503\n"r400",503\n"r800",503end\n')
  const half = await textOf('half')
  assert.equal(half, await textOf('same half'))
  const lines = half.split('\n').length - 2
  assert.ok(lines > 500 && lines < 700, `${lines}`)
  assert.deepEqual(await filesBelow('nothing'), [])
})

test('a job that was disabled goes on from where it is enabled again', async () => {
  await writeFile(join(directory, 'blocked'), '')
  const steady = await aRunningJob({ destinationConf: folder('steady') })
  const job = await aRunningJob({ destinationConf: folder('blocked') })
  append('open when disabled')
  await writer.flush()
  const delivery = deliver()
  await eventually(async () => assert.notEqual((await jobNow(job)).errorMessage, null))

  await store.jobs.update({ ...(await jobNow(job)), enabled: false })
  await store.delivery.stop(job.id)
  delivery.refresh()
  await rm(join(directory, 'blocked'))
  append('while disabled')
  await writer.flush()
  aheadMs += 60_000
  await eventually(async () =>
    assert.deepEqual(await idsBelow('steady'), ['open when disabled', 'while disabled']),
  )

  await startJob(store, reader, job.id)
  await store.jobs.update({ ...(await jobNow(job)), enabled: true })
  delivery.refresh()
  append('enabled again')
  await writer.flush()
  aheadMs += 60_000
  await eventually(async () => assert.deepEqual(await idsBelow('blocked'), ['enabled again']))
  await eventually(async () => assert.equal((await idsBelow('steady')).length, 3))
  await delivery.stop()
  assert.deepEqual(await idsBelow('blocked'), ['enabled again'])
  assert.equal((await jobNow(steady)).errorMessage, null)
})

test('records are released when every enabled job has them, and not before', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const released: number[] = []
  const watched: RecordReader = {
    ...watching(),
    release: async (_partition, sequence) => void released.push(sequence),
  }
  const releases = async (want: number, why: string) => {
    released.length = 0
    t.mock.timers.tick(10_000)
    await eventually(async () => assert.deepEqual(released, [want], why))
  }
  await writeFile(join(directory, 'blocked'), '')
  append('before any job')
  await writer.flush()
  const delivery = deliver({ reader: watched })
  await releases(1, 'without a job everything goes')

  const broken = await aRunningJob({ destinationConf: folder('blocked') })
  const sound = await aRunningJob({ destinationConf: folder('sound') })
  delivery.refresh()
  for (const id of ['a', 'b']) append(id)
  await writer.flush()
  await eventually(async () => {
    assert.notEqual((await jobNow(sound)).lastComplete, null)
    assert.notEqual((await jobNow(broken)).errorMessage, null)
  })
  await releases(1, 'one job has not got them')

  await store.jobs.update({ ...(await jobNow(broken)), enabled: false })
  await store.delivery.stop(broken.id)
  delivery.refresh()
  await releases(3, 'a disabled job wants nothing')

  await aRunningJob({ destinationConf: folder('blocked') })
  append('c')
  await writer.flush()
  await releases(3, 'a job that was enabled meanwhile wants what comes')
})

test('stopping delivers what there is, due or not', async () => {
  aheadMs = 0
  await aRunningJob({ destinationConf: folder('last') })
  const delivery = deliver()
  append('young')
  await writer.flush()
  await delivery.stop()
  assert.deepEqual(await idsBelow('last'), ['young'])
})

function append(
  id: string,
  {
    zone = zoneId,
    dataset = 'http_requests',
    status = 200,
    to = writer,
  }: { zone?: string; dataset?: string; status?: number; to?: RecordWriter } = {},
): void {
  const fields = { RayID: id, ClientIP: '192.0.2.1', EdgeResponseStatus: status }
  to.append(JSON.stringify({ zone, dataset, fields }))
}

/** Made and started as the API does it. */
async function aRunningJob(changes: Partial<LogpushJob>): Promise<LogpushJob> {
  const job = await store.jobs.insert(aJob(zoneId, { ...changes, enabled: false }))
  await startJob(store, reader, job.id)
  await store.jobs.update({ ...job, enabled: true })
  return { ...job, enabled: true }
}

async function jobNow(job: LogpushJob): Promise<LogpushJob> {
  return (await store.jobs.get(job.zoneId, job.id))!
}

function deliver(changes: Partial<DeliveryDeps> = {}): Delivery {
  const delivery = startDelivery({
    store,
    reader,
    clock: { nowMs: () => Date.now() + aheadMs },
    destinations: 'loopback',
    onOutcome: () => {},
    onError: (message, error) => assert.fail(`${message}: ${error}`),
    ...changes,
  })
  running.push(delivery)
  return delivery
}

/** The reader, as an object whose methods can be replaced. */
function watching(): RecordReader {
  return {
    partitions: () => reader.partitions(),
    head: partition => reader.head(partition),
    read: (partition, sequence, limits) => reader.read(partition, sequence, limits),
    release: (partition, sequence) => reader.release(partition, sequence),
    at: (partition, ms) => reader.at(partition, ms),
    stats: () => reader.stats(),
    close: () => reader.close(),
  }
}

function folder(name: string): string {
  return `file://${join(directory, name)}`
}

function s3Destination({ url }: S3Server, name: string): string {
  const { accessKeyId, secretAccessKey } = s3Credentials
  return `s3://logs/${name}?region=us-east-1&endpoint=${encodeURIComponent(url)}&access-key-id=${accessKeyId}&secret-access-key=${secretAccessKey}`
}

/** Objects of a folder, by name; none when the folder is not there. */
async function filesBelow(name: string): Promise<{ name: string; content: Buffer }[]> {
  const path = join(directory, name)
  const names = await readdir(path).catch(() => [])
  return Promise.all(
    names
      .filter(file => file.endsWith('.log.gz'))
      .sort()
      .map(async file => ({ name: file, content: await readFile(join(path, file)) })),
  )
}

/** Sorted: objects of one second have no order among them. */
async function idsBelow(name: string): Promise<string[]> {
  return (await filesBelow(name)).flatMap(({ content }) => idsIn(content)).sort()
}

function idsIn(object: Buffer): string[] {
  const lines = gunzipSync(object).toString('utf8').split('\n')
  return lines.filter(line => line !== '').map(line => (JSON.parse(line) as { RayID: string }).RayID)
}

/** Until the check holds, for fifteen seconds at most; then with what it says. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 15_000
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
