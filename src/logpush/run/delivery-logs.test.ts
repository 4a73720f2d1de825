import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLocalRecordLog, type RecordReader } from '../../bus/index.ts'
import { defaultPolicy } from '../../bus/policy.ts'
import { reportJob } from '../jobs/operations.ts'
import { Resets } from '../stream/resets.ts'
import { DeliveryBench, eventually, quickPace, storeWith } from '../testing/delivery.ts'
import type { Delivery, DeliveryDeps } from '../types.ts'

const hour = '2026-08-12T22:00:00Z'
const hourMs = 3_600_000

/** A machine with a separate spool beside the bench's, and the bench's database. */
class OtherMachine {
  readonly #bench: DeliveryBench
  readonly directory: string
  readonly reader: RecordReader
  readonly #log

  private constructor(
    bench: DeliveryBench,
    directory: string,
    log: ReturnType<typeof openLocalRecordLog>,
    reader: RecordReader,
  ) {
    this.#bench = bench
    this.directory = directory
    this.#log = log
    this.reader = reader
  }

  static async open(t: TestContext, bench: DeliveryBench): Promise<OtherMachine> {
    const directory = join(bench.directory, 'spool-b')
    const log = openLocalRecordLog(directory, fault => assert.fail(fault.message), defaultPolicy, 'spool-b')
    t.after(() => log.close())
    return new OtherMachine(bench, directory, log, await log.reader())
  }

  /** By a worker that begins and ends with it. */
  async write(worker: string, ...ids: readonly string[]): Promise<void> {
    const to = await this.#log.writer(worker)
    for (const id of ids) this.#bench.append(id, { to })
    await to.close()
    // Later records are received later.
    await sleep(5)
  }

  deliver(changes: Partial<DeliveryDeps> = {}): Delivery {
    return this.#bench.deliver({ reader: this.reader, location: 'b', ...changes })
  }
}

test('a job begins at the same moment on every machine, and reads new partitions from their start', async t => {
  const bench = await DeliveryBench.open(t)
  const other = await OtherMachine.open(t, bench)
  await bench.write('before at A')
  await other.write('edge-1-b', 'before at B')
  const job = await bench.job({ destinationConf: bench.folder('out') })
  await sleep(5)
  await other.write('edge-1-b', 'B 1')
  await bench.write('A 1')
  const { oldestUndelivered } = await reportJob({ store: bench.store, reader: other.reader }, job, '')
  const [first] = await other.reader.read((await other.reader.partitions())[0]!, 1, { records: 1, bytes: 1 })
  assert.equal(Date.parse(oldestUndelivered!), first!.receivedMs)
  bench.deliver()
  let delivery = other.deliver()
  await bench.later(async () => assert.deepEqual(await bench.ids('out'), ['A 1', 'B 1']))

  await other.write('edge-2-b', 'of a new worker')
  await bench.later(async () => assert.equal((await bench.ids('out')).length, 3))
  await delivery.stop()
  rmSync(other.directory, { recursive: true })
  await other.write('edge-1-b', 'of a new spool 1', 'of a new spool 2')
  delivery = other.deliver()
  await bench.later(async () =>
    assert.deepEqual(await bench.ids('out'), [
      'A 1',
      'B 1',
      'of a new spool 1',
      'of a new spool 2',
      'of a new worker',
    ]),
  )
  await eventually(() => assert.ok(bench.resets.length > 0))
})

test('a job that begins in the past begins there on every machine, even when it is enabled again', async t => {
  const bench = await DeliveryBench.open(t)
  const other = await OtherMachine.open(t, bench)
  await other.write('edge-1-b', 'too old')
  const fromMs = Date.now()
  await other.write('edge-1-b', 'B 1')
  await bench.write('A 1')
  const job = await bench.job({ destinationConf: bench.folder('past') }, fromMs)
  await other.write('edge-1-b', 'B 2')
  const deliveries = [bench.deliver(), other.deliver()]
  await bench.later(async () => assert.deepEqual(await bench.ids('past'), ['A 1', 'B 1', 'B 2']))
  await bench.disable(job)
  await other.write('edge-1-b', 'while disabled')
  await bench.enable(job)
  for (const delivery of deliveries) delivery.refresh()
  await other.write('edge-1-b', 'B 3')
  await bench.later(async () => assert.deepEqual(await bench.ids('past'), ['A 1', 'B 1', 'B 2', 'B 3']))
})

test('a position in a log created after the partitions were listed is not mistaken for one in a lost log', async t => {
  const bench = await DeliveryBench.open(t)
  const job = await bench.job({ destinationConf: bench.folder('out') })
  const run = { jobId: job.id, replay: 0 }
  await bench.write('1', '2')
  const old = await bench.partition()
  await bench.store.delivery.advance([{ jobId: job.id, revision: 2, cursors: new Map([[old, 2]]) }])
  const spool = join(bench.directory, 'spool')
  let listed = false
  const reader: RecordReader = {
    ...bench.watching(),
    async partitions() {
      const partitions = await bench.reader.partitions()
      if (listed) return partitions
      listed = true
      // Made again, and a reader knows of it already.
      await bench.writer.close()
      rmSync(spool, { recursive: true })
      const log = openLocalRecordLog(spool, () => {})
      const to = await log.writer('edge-1')
      for (const id of ['3', '4', '5']) bench.append(id, { to })
      await log.close()
      const cursors = new Map([[await bench.partition(), 3]])
      await bench.store.delivery.advance([{ jobId: job.id, revision: 2, cursors }])
      return partitions
    },
  }
  const resets = new Resets(bench.store, reader, position => bench.resets.push(position))
  for (let looks = 0; looks < 2; looks++) await resets.look(hour)
  assert.deepEqual(bench.resets, [{ jobId: job.id, partition: old, sequence: 2 }])
  assert.deepEqual(await bench.store.delivery.cursors(run), new Map([[await bench.partition(), 3]]))
})

test('a process that is late for an hour keeps the manifest that another process of the job has written', async t => {
  const bench = await DeliveryBench.open(t)
  const other = await OtherMachine.open(t, bench)
  const job = await bench.job({ destinationConf: `${bench.folder('listed')}?manifest=hourly` })
  const { delivery } = bench.store
  const seen = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  let asked = 0
  const first = storeWith(bench.store, {
    delivery: {
      // The other sees the same hours first …
      async manifestHours(...of) {
        const hours = await delivery.manifestHours(...of)
        if (hours.length > 0) await seen.promise
        return hours
      },
      async closeManifest(...of) {
        await delivery.closeManifest(...of)
        written.resolve()
      },
    },
  })
  const second = storeWith(bench.store, {
    delivery: {
      // … and goes on when this one has written.
      async manifestHours(...of) {
        const hours = await delivery.manifestHours(...of)
        asked++
        if (hours.length === 0) return hours
        seen.resolve()
        await written.promise
        return hours
      },
    },
  })
  const manifest = async () => {
    const folder = join(bench.directory, 'listed')
    const [name] = (await readdir(folder)).filter(file => file.endsWith('_manifest.json'))
    return name === undefined ? undefined : readFile(join(folder, name), 'utf8')
  }
  await bench.write('of A')
  bench.deliver({ store: first })
  other.deliver({ store: second })
  await bench.later(async () => assert.deepEqual(await bench.ids('listed'), ['of A']))
  bench.aheadMs += hourMs
  await written.promise
  const text = await manifest()
  assert.equal((JSON.parse(text!) as { readonly lines: number }).lines, 1)
  // It asks for hours again when it is done with the records that it had.
  const before = asked
  bench.aheadMs += hourMs
  await eventually(() => assert.ok(asked > before))
  assert.equal(await manifest(), text)
  assert.deepEqual(await delivery.manifestHours(job.id, '9'), [])
})

test('two machines with copies of one data directory do not deliver until one of them has ended, and report it', async t => {
  const bench = await DeliveryBench.open(t)
  await bench.job({ destinationConf: bench.folder('out') })
  const said: string[][] = [[], []]
  const [first, second] = said.map(messages => () => {
    return bench.deliver({ onError: message => messages.push(message), pace: { ...quickPace, leaseMs: 300 } })
  })
  const delivery = first!()
  await bench.write('1')
  await bench.later(async () => assert.deepEqual(await bench.ids('out'), ['1']))
  const copy = second!()
  await eventually(() => {
    for (const messages of said) assert.match(messages.join(), /copy of this data directory/)
  })
  for (const each of [delivery, copy]) await bench.refreshed(each)
  await bench.write('2')
  await sleep(300)
  bench.aheadMs += 60_000
  await sleep(300)
  assert.deepEqual(await bench.ids('out'), ['1'])
  await copy.stop()
  await bench.later(async () => assert.deepEqual(await bench.ids('out'), ['1', '2']))
})
