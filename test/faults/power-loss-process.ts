/**
 * Writes records and delivers them, until it is killed; with `drain` it delivers what there is and ends. It prints the
 * last id of each group of records whose flush is over, each reset, and what it cannot deliver in the end.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLocalRecordLog } from '../../src/bus/index.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { startDelivery, startJob } from '../../src/logpush/index.ts'
import type { SpoolSync } from '../../src/model/settings/index.ts'
import { openSqliteStore } from '../../src/store/index.ts'
import { aJob, zoneIn } from '../../src/store/testing/data.ts'
import { notDelivered, until } from './arrival.ts'
import { plainCipher } from './plain-cipher.ts'

const [data, out, sync, life] = process.argv.slice(2) as [string, string, SpoolSync, string]
const fail = (message: string, error?: unknown) => {
  throw new Error(`${message}: ${error}`)
}
const store = await openSqliteStore(join(data, 'sluice.db'), { migrate: true, cipher: plainCipher })
const policy = { sync, bytes: 1 << 30, full: 'drop-oldest', ageMs: 3_600_000 } as const
const log = openLocalRecordLog(join(data, 'spool'), ({ code, message }) => fail(code, message), policy)
const reader = await log.reader()
let [job] = await store.jobs.listEnabled()
if (job === undefined) {
  const zone = await zoneIn(store)
  const scope = { kind: 'zone', id: zone.id } as const
  const settings = { destinationConf: `file://${out}`, enabled: false, maxUploadRecords: 1000 }
  job = await store.jobs.insert(aJob(scope, settings))
  await startJob({ store, reader }, job)
  await store.jobs.update({ ...job, enabled: true })
}
const delivery = startDelivery({
  store,
  reader,
  // Every batch is due at once.
  clock: { nowMs: () => systemClock.nowMs() + performance.now() * 60 },
  location: data,
  destinations: { reach: 'loopback', directory: out },
  batchBytes: 256 * 1024 ** 2,
  onOutcome: () => {},
  onReset: ({ partition, sequence }) => void writeSync(1, `reset ${partition} ${sequence}\n`),
  onError: fail,
  pace: { tickMs: 5, settleMs: 0, orderMs: 0, upkeepMs: 50 },
})
if (life === 'drain') {
  const tell = (event: string) => void writeSync(1, `${event}\n`)
  const left = await until({ tell }, 30_000, async () => (await notDelivered({ store, reader }, job.id))[0])
  if (left !== undefined) tell(`not delivered: ${left}`)
  await delivery.stop()
  await log.close()
  await store.close()
  process.exit(0)
}
const zone = job.scope.id
const writer = await log.writer('edge-1')
for (let n = 1; ; n++) {
  for (let i = 0; i < 20; i++) {
    const fields = { RayID: `${life}-${n}-${i}` }
    writer.append(JSON.stringify({ zone, account: 'a'.repeat(32), dataset: 'http_requests', fields }))
  }
  await writer.flush()
  writeSync(1, `kept ${n}\n`)
  await sleep(3)
}
