import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { postProblem, startReceiver } from '../../../test/support/receivers/receiver.ts'
import type { RecordReader } from '../../bus/index.ts'
import { datasets } from '../../model/datasets/table.ts'
import type { LogpushJob } from '../../model/resource.ts'
import { StoreError } from '../../store/index.ts'
import { fileForm } from '../batch/file-form.ts'
import { parseOutputOptions } from '../output/format.ts'
import { DeliveryBench, eventually, storeWith } from '../testing/delivery.ts'

/** Jobs that write Parquet files. */

const outputOptions = { output_type: 'parquet', field_names: ['RayID', 'EdgeResponseStatus'] }
const format = parseOutputOptions(outputOptions, datasets.get('http_requests')!)
assert.ok(format.ok)
const form = fileForm(format.value)
const never = new AbortController().signal

async function rows(bench: DeliveryBench, folder: string): Promise<unknown[]> {
  const files = await bench.files(folder)
  const texts = await Promise.all(files.map(({ content }) => form.text(content, 1e6, never)))
  return texts.flatMap(text => text.toString().trimEnd().split('\n')).map(line => JSON.parse(line) as unknown)
}

const delivered = async (bench: DeliveryBench, job: LogpushJob) => {
  const counts = await bench.store.delivery.counts(job.id, '')
  return counts.filter(({ outcome }) => outcome === 'successful').reduce((sum, { lines }) => sum + lines, 0)
}

/** A delivery that dies between an upload and its close. @returns the path of its object */
async function uploaded(bench: DeliveryBench, folder: string): Promise<string> {
  const closeBatch = () => Promise.reject(new StoreError('unavailable', 'dead'))
  const dead = bench.deliver({ store: storeWith(bench.store, { delivery: { closeBatch } }) })
  await eventually(async () => assert.equal((await bench.files(folder)).length, 1))
  await dead.stop()
  return join(bench.directory, folder, (await bench.files(folder))[0]!.name)
}

test('a batch becomes one file, and its second attempt has the same bytes', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: bench.folder('files'), outputOptions })
  await bench.write('a', 'b')
  const path = await uploaded(bench, 'files')
  assert.match(path, /_[0-9a-f]{32}\.parquet$/)
  const first = await readFile(path)
  await rm(path)
  bench.deliver()
  await eventually(async () => assert.equal(await delivered(bench, job), 2))
  assert.ok((await readFile(path)).equals(first))
  assert.deepEqual(await rows(bench, 'files'), [
    ['a', 200],
    ['b', 200],
  ])
})

test('a file of an earlier attempt counts if it has all rows, also more of them; another one pauses the job', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: bench.folder('kept'), outputOptions })
  await bench.write('a', 'lost', 'c')
  const path = await uploaded(bench, 'kept')
  const stored = await readFile(path)
  const { gzipSync } = await import('node:zlib')
  for (const other of [await form.make(gzipSync('["of another",1]\n'), never), Buffer.from('no file')]) {
    await writeFile(path, other)
    const delivery = bench.deliver()
    await eventually(async () =>
      assert.match((await bench.now(job)).errorMessage ?? '', /does not hold the lines/),
    )
    await delivery.stop()
    const working = { lastComplete: null, lastError: null, errorMessage: null, paused: false }
    await bench.store.jobs.report(job.id, working)
  }
  await writeFile(path, stored)
  const reader: RecordReader = {
    ...bench.watching(),
    read: async (partition, sequence, limits) => {
      const records = await bench.reader.read(partition, sequence, { ...limits, records: limits.records + 1 })
      return records.filter(({ sequence }) => sequence !== 2).slice(0, limits.records)
    },
  }
  bench.deliver({ reader })
  await eventually(async () => assert.equal(await delivered(bench, job), 2))
  assert.ok((await readFile(path)).equals(stored))
})

test('a stuck file whose job changes to a receiver goes there as lines', async t => {
  const bench = await DeliveryBench.open(t)
  await writeFile(join(bench.directory, 'blocked'), '')
  const job = await bench.job({ destinationConf: bench.folder('blocked'), outputOptions })
  const receiver = await startReceiver(t, request => postProblem(request) ?? { status: 200 }, { tls: false })
  await bench.write('a', 'b')
  const delivery = bench.deliver()
  await eventually(async () => assert.equal((await bench.now(job)).paused, true))
  const { revision: _, ...now } = await bench.now(job)
  await bench.store.jobs.update({
    ...(await bench.now(job)),
    ...now,
    destinationConf: `http://${receiver.host}/logs`,
    outputOptions: { field_names: ['RayID'] },
  })
  delivery.refresh()
  await eventually(async () => assert.equal(await delivered(bench, job), 2))
  assert.equal(receiver.requests.map(({ text }) => text).join(''), '{"RayID":"a"}\n{"RayID":"b"}\n')
})
