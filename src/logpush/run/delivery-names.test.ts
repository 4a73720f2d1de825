import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { RecordReader } from '../../bus/index.ts'

import type { LogpushJob } from '../../model/resource.ts'
import { StoreError } from '../../store/index.ts'
import { objectName } from '../output/object-name.ts'
import { DeliveryBench, eventually, storeWith } from '../testing/delivery.ts'

/** Objects that have the name of a batch at its destination already. */

/** A delivery that dies between an upload and its close. */
async function uploaded(t: TestContext, bench: DeliveryBench, folder: string): Promise<string> {
  const dead = bench.deliver({
    store: storeWith(bench.store, {
      delivery: { closeBatch: () => Promise.reject(new StoreError('unavailable', 'dead')) },
    }),
  })
  await eventually(async () => assert.equal((await bench.files(folder)).length, 1))
  await dead.stop()
  const [file] = await bench.files(folder)
  t.diagnostic(file!.name)
  return join(bench.directory, folder, file!.name)
}

const delivered = async (bench: DeliveryBench, job: LogpushJob) => {
  const counts = await bench.store.delivery.counts(job.id, '')
  return counts.filter(({ outcome }) => outcome === 'successful').reduce((sum, { lines }) => sum + lines, 0)
}

test('an object with other bytes is no success: the job pauses and keeps its position until it is moved away', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: bench.folder('taken') })
  await bench.write('a', 'b')
  const path = await uploaded(t, bench, 'taken')
  for (const other of [gzipSync('{"RayID":"of another job"}\n'), Buffer.from('no gzip at all')]) {
    await writeFile(path, other)
    const pauses = bench.outcomes.length
    const delivery = bench.deliver()
    await eventually(async () => assert.equal((await bench.now(job)).paused, true))
    await eventually(() => assert.ok(bench.outcomes.length > pauses))
    assert.equal(bench.outcomes.at(-1)!.status, 'name-taken')
    assert.match((await bench.now(job)).errorMessage!, /exists and does not hold the lines/)
    assert.deepEqual(await readFile(path), other)
    await delivery.stop()
    await bench.store.jobs.report(job.id, {
      lastComplete: null,
      lastError: null,
      errorMessage: null,
      paused: false,
    })
  }
  assert.equal(await delivered(bench, job), 0)
  await rename(path, `${path}.other`)
  const delivery = bench.deliver()
  await eventually(async () => assert.deepEqual(await bench.ids('taken'), ['a', 'b']))
  await eventually(async () => assert.equal(await delivered(bench, job), 2))
  await delivery.stop()
})

for (const lost of [[2], [1, 2, 3]])
  test(`a manifest lists the three records that an earlier attempt stored when the quota has taken ${lost.length}`, async t => {
    const bench = await DeliveryBench.open(t)
    const job = await bench.job({ destinationConf: `${bench.folder('listed')}?manifest=hourly` })
    await bench.write('a', 'lost', 'c')
    const path = await uploaded(t, bench, 'listed')
    const stored = await readFile(path)
    const reader: RecordReader = {
      ...bench.watching(),
      read: async (partition, sequence, limits) => {
        const records = await bench.reader.read(partition, sequence, {
          ...limits,
          records: limits.records + 1,
        })
        return records.filter(({ sequence }) => !lost.includes(sequence)).slice(0, limits.records)
      },
    }
    bench.deliver({ reader })
    await eventually(async () => assert.equal(await delivered(bench, job), lost.length === 3 ? 3 : 2))
    bench.aheadMs += 3_600_000
    const folder = join(bench.directory, 'listed')
    await eventually(async () =>
      assert.ok((await readdir(folder)).some(name => name.endsWith('_manifest.json'))),
    )
    const manifest = (await readdir(folder)).find(name => name.endsWith('_manifest.json'))!
    const { objects, lines } = JSON.parse(await readFile(join(folder, manifest), 'utf8'))
    assert.equal(lines, 3)
    assert.deepEqual(
      objects.map((object: Record<string, unknown>) => [
        object['lines'],
        object['bytes_compressed'],
        object['sha256'],
      ]),
      [[3, stored.length, createHash('sha256').update(stored).digest('hex')]],
    )
    assert.deepEqual(await bench.ids('listed'), ['a', 'c', 'lost'])
  })

test('two jobs with the same folder, zone and records never share a name', () => {
  const scope = { kind: 'zone', id: '0123' } as const
  const ranges = [{ partition: 'edge-1', first: 1, last: 10 }]
  const names = new Set<string>()
  for (let jobId = 1; jobId <= 20_000; jobId++)
    names.add(objectName({ jobId, replay: 0, scope, ranges, shape: '{}' }, 'span', '.log.gz'))
  names.add(
    objectName({ jobId: 1, replay: 0, scope, ranges, shape: '{"filter":"other"}' }, 'span', '.log.gz'),
  )
  assert.equal(names.size, 20_001)
  for (const name of names) assert.match(name, /^span_[0-9a-f]{32}\.log\.gz$/)
})
