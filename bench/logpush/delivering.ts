import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  openLocalRecordLog,
  type RecordLog,
  type RecordReader,
  type RecordWriter,
} from '../../src/bus/index.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { type Delivery, type DeliveryOutcome, startDelivery, startJob } from '../../src/logpush/index.ts'
import type { DeliveryPace } from '../../src/logpush/types.ts'
import type { LogpushJob, Zone } from '../../src/model/resource.ts'
import { openSqliteStore, type Store } from '../../src/store/index.ts'
import { aJob, anAccount, aZone, testCipher } from '../../src/store/testing/data.ts'
import { tenFields } from './lines.ts'

/** Work that needs a folder, which is removed afterwards. */
export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Waits so short that they do not matter beside the work. */
const pace: Partial<DeliveryPace> = {
  tickMs: 10,
  settleMs: 50,
  orderMs: 10,
  upkeepMs: 1000,
  retryFirstMs: 500,
  retryLongestMs: 2000,
}

/** Delivery as in production, with a separate database, spool and destinations. */
export class Delivering {
  readonly folder: string
  readonly store: Store
  readonly log: RecordLog
  readonly writer: RecordWriter
  readonly reader: RecordReader
  /** Lines at their destinations. */
  lines = 0
  #delivery: Delivery | undefined
  #closing = false

  private constructor(
    folder: string,
    store: Store,
    log: RecordLog,
    writer: RecordWriter,
    reader: RecordReader,
  ) {
    this.folder = folder
    this.store = store
    this.log = log
    this.writer = writer
    this.reader = reader
  }

  static async open(folder: string): Promise<Delivering> {
    const store = await openSqliteStore(join(folder, 'sluice.db'), { migrate: true, cipher: testCipher })
    const log = openLocalRecordLog(join(folder, 'spool'), ({ message }) => console.error(message), {
      sync: 'interval',
      bytes: 1024 * 1024 * 1024,
      full: 'drop-oldest',
      ageMs: 0,
    })
    return new Delivering(folder, store, log, await log.writer('bench'), await log.reader())
  }

  /** All of one account. */
  async zones(count: number): Promise<readonly Zone[]> {
    const account = anAccount()
    await this.store.accounts.insert(account)
    const zones = Array.from({ length: count }, () => aZone(account.id))
    for (const zone of zones) await this.store.zones.insert(zone)
    return zones
  }

  /** A job that delivers ten fields into a separate folder by default. */
  async job(zone: Zone, name: string, changes: Partial<LogpushJob> = {}): Promise<void> {
    const job = await this.store.jobs.insert(
      aJob(
        { kind: 'zone', id: zone.id },
        {
          enabled: false,
          destinationConf: `file://${join(this.folder, 'objects', name)}`,
          logpullOptions: null,
          outputOptions: { field_names: [...tenFields] },
          ...changes,
        },
      ),
    )
    await startJob(this, job, 0)
    await this.store.jobs.update({ ...job, enabled: true })
  }

  start(changes: Partial<DeliveryPace> = {}): void {
    const onOutcome = (_job: LogpushJob, { lines }: DeliveryOutcome) => {
      this.lines += lines
    }
    this.#delivery = startDelivery({
      store: this.store,
      reader: this.reader,
      clock: systemClock,
      location: this.folder,
      destinations: { reach: 'loopback', directory: tmpdir() },
      batchBytes: 256 * 1024 ** 2,
      onOutcome,
      onError: (message, error) => {
        // At the end a destination that is down keeps its batch.
        if (!this.#closing) console.error(message, error)
      },
      pace: { ...pace, ...changes },
    })
  }

  /** Gives records to the spool, some at a time. */
  async write(records: readonly string[]): Promise<void> {
    for (let at = 0; at < records.length; ) {
      const end = at + 1000
      for (; at < end && at < records.length; at++) this.writer.append(records[at]!)
      await this.writer.flush()
    }
  }

  /** Waits until all jobs follow new records. */
  async following(): Promise<void> {
    const { length } = await this.store.jobs.listEnabled()
    while ((this.#delivery?.lags() ?? []).length < length) await sleep(5)
    await sleep(500)
  }

  /** Waits until this many lines are at their destinations. */
  async delivered(lines: number): Promise<void> {
    while (this.lines < lines) await sleep(5)
  }

  async close(): Promise<void> {
    this.#closing = true
    await this.#delivery?.stop()
    await this.log.close()
    await this.store.close()
  }
}
