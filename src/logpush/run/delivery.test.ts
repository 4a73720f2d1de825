import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type S3Server, s3Credentials, startS3 } from '../../../test/support/s3-server.ts'
import type { RecordReader } from '../../bus/index.ts'
import { zoneIn } from '../../store/testing/data.ts'
import { startJob } from '../jobs/operations.ts'
import { DeliveryBench, eventually, idsIn } from '../testing/delivery.ts'

let s3: S3Server | undefined

after(() => s3?.close())

function s3Destination({ url }: S3Server, name: string): string {
  const { accessKeyId, secretAccessKey } = s3Credentials
  return `s3://logs/${name}?region=us-east-1&endpoint=${encodeURIComponent(url)}&access-key-id=${accessKeyId}&secret-access-key=${secretAccessKey}`
}

test('a job gets the records of its zone and its filter, each once', async t => {
  const bench = await DeliveryBench.open(t)
  s3 = await startS3(['logs'])
  const otherZone = await zoneIn(bench.store)
  const second = await bench.log.writer('edge-2')
  const filter = '{"where":{"key":"EdgeResponseStatus","operator":"lt","value":400}}'
  await bench.job({ destinationConf: s3Destination(s3, 'kept'), filter })
  await bench.job({ destinationConf: bench.folder('all'), scope: { kind: 'zone', id: otherZone.id } })
  const want: string[] = []
  const writeSome = async (from: number) => {
    for (let n = from; n < from + 20; n++) {
      bench.append(`kept-${n}`, { status: 200 + (n % 2) })
      bench.append(`dropped-${n}`, { status: 400 + (n % 2) })
      bench.append(`elsewhere-${n}`, { zone: otherZone, to: second })
      bench.append(`other-dataset-${n}`, { dataset: 'firewall_events' })
      bench.append(`second-${n}`, { to: second })
      want.push(`kept-${n}`, `second-${n}`)
    }
    await bench.writer.flush()
    await second.flush()
  }
  await writeSome(0)
  const delivery = bench.deliver()
  await eventually(async () => assert.equal((await s3!.lines('logs')).length, want.length))
  await writeSome(20)
  await bench.later(async () => assert.equal((await s3!.lines('logs')).length, want.length))
  await delivery.stop()

  const got = (await s3.lines('logs')).map(line => line['RayID'] as string)
  assert.deepEqual(got.toSorted(), want.toSorted())
  for (const key of await s3.keys('logs')) {
    const ids = idsIn(await s3.read('logs', key))
    for (const kind of ['kept', 'second']) {
      const numbers = ids.filter(id => id.startsWith(kind)).map(id => Number(id.split('-')[1]))
      const inOrder = numbers.toSorted((a, b) => a - b)
      assert.deepEqual(numbers, inOrder, key)
    }
  }
  assert.deepEqual(await bench.ids('all'), Array.from({ length: 40 }, (_, n) => `elsewhere-${n}`).toSorted())
})

test('a permanent failure of a destination pauses its own job visibly; editing the job tries it again', async t => {
  const bench = await DeliveryBench.open(t)
  // Below a file, so that nothing can be written.
  await writeFile(join(bench.directory, 'blocked'), '')
  const broken = await bench.job({ destinationConf: bench.folder('blocked') })
  const sound = await bench.job({ destinationConf: bench.folder('sound') })
  bench.append('one')
  await bench.writer.flush()
  const delivery = bench.deliver()
  await eventually(async () => {
    assert.deepEqual(await bench.ids('sound'), ['one'])
    assert.notEqual((await bench.now(sound)).lastComplete, null)
    assert.notEqual((await bench.now(broken)).errorMessage, null)
  })
  const failed = await bench.now(broken)
  assert.match(
    failed.errorMessage ?? '',
    /^paused: edit the job to resume: .*blocked.* cannot be written: ENOTDIR/,
  )
  assert.equal(failed.paused, true)
  assert.match(failed.lastError ?? '', /^\d{4}-\d\d-\d\dT/)
  assert.equal(failed.lastComplete, null)
  const healthy = await bench.now(sound)
  assert.equal(healthy.errorMessage, null)
  assert.equal(healthy.lastError, null)

  bench.append('two')
  await bench.writer.flush()
  await bench.later(async () => assert.deepEqual(await bench.ids('sound'), ['one', 'two']))
  await eventually(async () =>
    assert.ok((await bench.now(sound)).lastComplete! > healthy.lastComplete!, 'last_complete moves'),
  )

  const outcomes = bench.outcomes.map(({ outcome }) => outcome)
  assert.deepEqual(outcomes.toSorted(), ['paused', 'successful', 'successful'], 'it was not tried again')

  await rm(join(bench.directory, 'blocked'))
  await bench.store.jobs.update(await bench.now(broken))
  delivery.refresh()
  await eventually(async () => {
    const healed = await bench.now(broken)
    assert.equal(healed.errorMessage, null)
    assert.equal(healed.lastError, null)
    assert.equal(healed.paused, false)
    assert.notEqual(healed.lastComplete, null)
  })
  await bench.later(async () => assert.deepEqual(await bench.ids('blocked'), ['one', 'two']))
})

test('no batch exceeds the job’s limits, and a full one is followed at once', async t => {
  const bench = await DeliveryBench.open(t)
  const rows = [
    { records: 29, want: [9, 10, 10] },
    { records: 30, want: [10, 10, 10] },
    { records: 31, want: [1, 10, 10, 10] },
  ]
  for (const { records, want } of rows) {
    const name = `batches-${records}`
    const job = await bench.job({ destinationConf: bench.folder(name), maxUploadRecords: 10 })
    for (let n = 0; n < records; n++) bench.append(`r-${n}`)
    await bench.writer.flush()
    const delivery = bench.deliver()
    await eventually(async () => assert.equal((await bench.ids(name)).length, records))
    await delivery.stop()
    const lengths = (await bench.files(name)).map(({ content }) => idsIn(content).length)
    assert.deepEqual(
      lengths.toSorted((a, b) => a - b),
      want,
    )
    await bench.store.jobs.delete(job.scope, job.id)
  }
})

test('a new job begins with the next record, including partitions that appear later', async t => {
  const bench = await DeliveryBench.open(t)
  bench.append('before')
  await bench.writer.flush()
  await bench.job({ destinationConf: bench.folder('new') })
  const later = await bench.log.writer('edge-2')
  bench.append('after-1')
  bench.append('after-2', { to: later })
  await bench.writer.flush()
  await later.flush()
  bench.deliver()
  await eventually(async () => assert.deepEqual(await bench.ids('new'), ['after-1', 'after-2']))
})

test('an object is framed once, with any content, and a sample of it is the same each time', async t => {
  const bench = await DeliveryBench.open(t)
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
  await bench.job({ destinationConf: bench.folder('framed'), filter, outputOptions })
  for (const name of ['half', 'same half'])
    await bench.job({ destinationConf: bench.folder(name), outputOptions: sampled })
  await bench.job({
    destinationConf: bench.folder('nothing'),
    filter: filter.replace('400', '600'),
    outputOptions,
  })
  // More than are read at a time.
  for (let i = 0; i < 1200; i++) bench.append(`r${i}`, { status: i % 400 === 0 ? 503 : 200 })
  await bench.writer.flush()
  bench.deliver()
  await eventually(async () => {
    for (const name of ['framed', 'half', 'same half'])
      assert.equal((await bench.files(name)).length, 1, name)
  })
  const textOf = async (name: string) => gunzipSync((await bench.files(name))[0]!.content).toString('utf8')
  assert.equal(await textOf('framed'), 'ray,status\n"r0",503\n"r400",503\n"r800",503end\n')
  const half = await textOf('half')
  assert.equal(half, await textOf('same half'))
  const lines = half.split('\n').length - 2
  assert.ok(lines > 500 && lines < 700, `${lines}`)
  assert.deepEqual(await bench.files('nothing'), [])
})

test('a disabled job continues from the moment it is enabled again', async t => {
  const bench = await DeliveryBench.open(t)
  await writeFile(join(bench.directory, 'blocked'), '')
  const steady = await bench.job({ destinationConf: bench.folder('steady') })
  const job = await bench.job({ destinationConf: bench.folder('blocked') })
  bench.append('open when disabled')
  await bench.writer.flush()
  const delivery = bench.deliver()
  await eventually(async () => assert.notEqual((await bench.now(job)).errorMessage, null))
  await eventually(async () => assert.notEqual((await bench.now(steady)).lastComplete, null))

  await bench.disable(job)
  delivery.refresh()
  await rm(join(bench.directory, 'blocked'))
  bench.append('while disabled')
  await bench.writer.flush()
  await bench.later(async () =>
    assert.deepEqual(await bench.ids('steady'), ['open when disabled', 'while disabled']),
  )

  await startJob(bench, job)
  await bench.store.jobs.update({ ...(await bench.now(job)), enabled: true })
  delivery.refresh()
  bench.append('enabled again')
  await bench.writer.flush()
  await bench.later(async () => assert.deepEqual(await bench.ids('blocked'), ['enabled again']))
  await bench.later(async () => assert.equal((await bench.ids('steady')).length, 3))
  await delivery.stop()
  assert.deepEqual(await bench.ids('blocked'), ['enabled again'])
  assert.equal((await bench.now(steady)).errorMessage, null)
})

test('records are released when every enabled job has them, and not before', async t => {
  const bench = await DeliveryBench.open(t)
  const released: number[] = []
  const watched: RecordReader = {
    ...bench.watching(),
    release: async (_partition, sequence) => void released.push(sequence),
  }
  const releases = async (want: number, why: string) => {
    released.length = 0
    await eventually(() => assert.ok(released.length > 2, why))
    released.splice(0, 2)
    assert.deepEqual([...new Set(released)], [want], why)
  }
  s3 ??= await startS3(['logs'])
  s3.outage = true
  bench.append('before any job')
  await bench.writer.flush()
  const delivery = bench.deliver({ reader: watched })
  await releases(1, 'without a job everything goes')

  const broken = await bench.job({ destinationConf: s3Destination(s3, 'released') })
  const sound = await bench.job({ destinationConf: bench.folder('sound') })
  delivery.refresh()
  for (const id of ['a', 'b']) bench.append(id)
  await bench.writer.flush()
  await eventually(async () => {
    assert.notEqual((await bench.now(sound)).lastComplete, null)
    assert.notEqual((await bench.now(broken)).errorMessage, null)
  })
  await releases(1, 'one job has not got them')

  await bench.disable(broken)
  delivery.refresh()
  await releases(3, 'a disabled job wants nothing')

  const meanwhile = await bench.job({ destinationConf: bench.folder('meanwhile') })
  bench.append('c')
  await bench.writer.flush()
  await releases(3, 'a job that was enabled meanwhile wants what comes')

  await bench.store.jobs.report(meanwhile.id, { ...(await bench.now(meanwhile)), paused: true })
  const run = { jobId: sound.id, replay: 0 }
  await bench.later(async () =>
    assert.equal(
      (await bench.store.delivery.cursors(run)).get(await bench.partition()),
      4,
      'the sound job has it all',
    ),
  )
  await releases(3, 'a paused job has not delivered')
  s3.outage = false
})

test('stopping delivers the collected records, due or not', async t => {
  const bench = await DeliveryBench.open(t)
  bench.aheadMs = 0
  await bench.job({ destinationConf: bench.folder('last') })
  const delivery = bench.deliver()
  bench.append('young')
  await bench.writer.flush()
  await delivery.stop()
  assert.deepEqual(await bench.ids('last'), ['young'])
})
