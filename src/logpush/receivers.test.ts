import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startElastic } from '../../test/support/receivers/engines.ts'
import { startDatadog } from '../../test/support/receivers/intakes.ts'
import { openLocalRecordLog, type RecordReader } from '../bus/index.ts'
import type { LogpushJob } from '../model/resource.ts'
import { openSqliteStore, type Store, StoreError } from '../store/index.ts'
import { aJob, testCipher, zoneIn } from '../store/test-data.ts'
import { startDelivery, startJob } from './index.ts'
import type { Delivery } from './types.ts'

/** Jobs from the record log to receivers that tell what they took. */

interface Pipeline {
  readonly store: Store
  append(count: number): Promise<void>
  job(changes: Partial<LogpushJob>): Promise<LogpushJob>
  deliver(store?: Store): Delivery
}

async function aPipeline(t: TestContext): Promise<Pipeline> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-receivers-'))
  const store = await openSqliteStore(join(directory, 'sluice.db'), { migrate: true, cipher: testCipher })
  const log = openLocalRecordLog(join(directory, 'spool'), fault => assert.fail(fault.message))
  const reader: RecordReader = await log.reader()
  const writer = await log.writer('edge-1')
  const zone = await zoneIn(store)
  const running: Delivery[] = []
  t.after(async () => {
    for (const delivery of running) await delivery.stop()
    await log.close()
    await store.close()
    await rm(directory, { recursive: true, force: true })
  })
  return {
    store,
    async append(count) {
      for (let n = 0; n < count; n++)
        writer.append(
          JSON.stringify({
            zone: zone.id,
            account: zone.accountId,
            dataset: 'http_requests',
            fields: { RayID: `ray-${n}`, EdgeResponseStatus: n },
          }),
        )
      await writer.flush()
    },
    async job(changes) {
      const job = await store.jobs.insert(aJob({ kind: 'zone', id: zone.id }, { ...changes, enabled: false }))
      await startJob({ store, reader }, job)
      await store.jobs.update({ ...job, enabled: true })
      return job
    },
    deliver(used = store) {
      const delivery = startDelivery({
        store: used,
        reader,
        clock: { nowMs: () => Date.now() + 10_000 },
        destinations: 'loopback',
        onOutcome: () => {},
        onError: (message, error) => assert.fail(`${message}: ${error}`),
      })
      running.push(delivery)
      return delivery
    },
  }
}

async function eventually(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 15_000; !holds(); await sleep(50))
    if (Date.now() > deadline) assert.fail(`not in time: ${holds}`)
}

test('a process that dies after an upload leaves no second copy in Elasticsearch', async t => {
  const { store, append, job, deliver } = await aPipeline(t)
  const elastic = await startElastic(t, 'logs', 'ApiKey key')
  await job({
    destinationConf: `elastic://${elastic.host}/logs?header_Authorization=ApiKey%20key`,
    logpullOptions: 'fields=RayID',
  })
  await append(50)
  const dying: Store = {
    ...store,
    delivery: { ...store.delivery, closeBatch: () => Promise.reject(new StoreError('unavailable', 'dead')) },
  }
  const dead = deliver(dying)
  await eventually(() => elastic.documents.size === 50)
  await dead.stop()
  const requestsBefore = elastic.requests.length
  deliver()
  await eventually(() => elastic.requests.length > requestsBefore)
  assert.equal(elastic.documents.size, 50)
})

test('a batch that is split keeps the frame that the job writes, and repeats no part that was taken', async t => {
  const { append, job, deliver } = await aPipeline(t)
  const datadog = await startDatadog(t, 'key')
  let failing = true
  datadog.instead = ({ text }) => (failing && text.includes('"ray-1000"') ? { status: 503 } : undefined)
  await job({
    destinationConf: `datadog://${datadog.host}/api/v2/logs?header_DD-API-KEY=key`,
    outputOptions: {
      field_names: ['RayID'],
      batch_prefix: '[',
      batch_suffix: ']',
      record_prefix: '{"ü":"x",',
      record_suffix: '}',
      record_delimiter: ',',
    },
  })
  await append(2500)
  deliver()
  await eventually(() => datadog.requests.length >= 3)
  failing = false
  await eventually(() => datadog.taken.length >= 2500)
  assert.deepEqual(
    datadog.taken,
    Array.from({ length: 2500 }, (_, n) => ({ ü: 'x', RayID: `ray-${n}` })),
  )
})
