import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { openLocalRecordLog, type RecordLog, type RecordReader, type RecordWriter } from '../../bus/index.ts'
import { splitPartitionName } from '../../model/partition-name.ts'
import type { LogpushJob, Scope, Zone } from '../../model/resource.ts'
import { openSqliteStore, type Store } from '../../store/index.ts'
import type { LostPosition } from '../../store/port/delivery.ts'
import { aJob, testCipher, zoneIn } from '../../store/testing/data.ts'
import { startJob } from '../jobs/operations.ts'
import { startDelivery } from '../run/delivery.ts'
import type { Delivery, DeliveryDeps, DeliveryOutcome, DeliveryPace } from '../types.ts'
import { onThisMachine } from './destinations.ts'

/** Waits short enough for tests. */
export const quickPace: Partial<DeliveryPace> = {
  tickMs: 20,
  settleMs: 100,
  orderMs: 20,
  retryFirstMs: 50,
  retryLongestMs: 200,
  pausedRetryMs: 60_000,
  upkeepMs: 50,
}

export interface DeliveredFile {
  readonly name: string
  readonly content: Buffer
}

/** Delivery over a real store, a real record log and real destinations; the clock alone is the test's. */
export class DeliveryBench {
  readonly directory: string
  readonly store: Store
  readonly log: RecordLog
  readonly reader: RecordReader
  readonly writer: RecordWriter
  readonly zone: Zone
  readonly outcomes: DeliveryOutcome[] = []
  readonly resets: LostPosition[] = []
  /** The clock of delivery is ahead of the system's by this. */
  aheadMs = 10_000
  readonly #running: Delivery[] = []
  /** So often the jobs were read to be run. */
  #reads = 0

  private constructor(
    directory: string,
    store: Store,
    log: RecordLog,
    reader: RecordReader,
    writer: RecordWriter,
    zone: Zone,
  ) {
    this.directory = directory
    this.store = store
    this.log = log
    this.reader = reader
    this.writer = writer
    this.zone = zone
  }

  static async open(t: TestContext): Promise<DeliveryBench> {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-delivery-'))
    const store = await openSqliteStore(join(directory, 'sluice.db'), { migrate: true, cipher: testCipher })
    const log = openLocalRecordLog(join(directory, 'spool'), fault => assert.fail(fault.message))
    const [reader, writer] = [await log.reader(), await log.writer('edge-1')]
    const bench = new DeliveryBench(directory, store, log, reader, writer, await zoneIn(store))
    t.after(() => bench.#close())
    return bench
  }

  get scope(): Scope {
    return { kind: 'zone', id: this.zone.id }
  }

  append(
    id: string,
    changes: {
      readonly zone?: Zone
      readonly dataset?: string
      readonly status?: number
      readonly to?: RecordWriter
    } = {},
  ): void {
    const { zone = this.zone, dataset = 'http_requests', status = 200, to = this.writer } = changes
    const fields = { RayID: id, ClientIP: '192.0.2.1', EdgeResponseStatus: status }
    to.append(JSON.stringify({ zone: zone.id, account: zone.accountId, dataset, fields }))
  }

  /** Appends to the first partition, and waits until it is kept. */
  async write(...ids: readonly string[]): Promise<void> {
    for (const id of ids) this.append(id)
    await this.writer.flush()
  }

  /** Made and started as the API does it. */
  async job(changes: Partial<LogpushJob>, fromMs?: number): Promise<LogpushJob> {
    const job = await this.store.jobs.insert(aJob(this.scope, { ...changes, enabled: false }))
    await startJob(this, job, fromMs)
    await this.store.jobs.update({ ...job, enabled: true })
    return { ...job, enabled: true }
  }

  async now(job: LogpushJob): Promise<LogpushJob> {
    return (await this.store.jobs.get(job.scope, job.id))!
  }

  async disable(job: LogpushJob): Promise<void> {
    await this.store.jobs.update({ ...(await this.now(job)), enabled: false })
    await this.store.delivery.stop(job.id)
  }

  /** As the API does it. */
  async enable(job: LogpushJob): Promise<void> {
    await startJob(this, await this.now(job))
    await this.store.jobs.update({ ...(await this.now(job)), enabled: true })
  }

  deliver(changes: Partial<DeliveryDeps> = {}): Delivery {
    const store = changes.store ?? this.store
    const listEnabled = () => {
      this.#reads++
      return store.jobs.listEnabled()
    }
    const delivery = startDelivery({
      reader: this.reader,
      clock: { nowMs: () => Date.now() + this.aheadMs },
      location: 'bench',
      destinations: onThisMachine,
      batchBytes: 256 * 1024 ** 2,
      onOutcome: (_job, outcome) => this.outcomes.push(outcome),
      onReset: position => this.resets.push(position),
      onError: (message, error) => assert.fail(`${message}: ${error}`),
      pace: quickPace,
      ...changes,
      store: storeWith(store, { jobs: { listEnabled } }),
    })
    this.#running.push(delivery)
    return delivery
  }

  /** Resolves when a delivery knows of its jobs what is stored now: reads follow one another, so after two of them. */
  async refreshed(delivery: Delivery): Promise<void> {
    for (let times = 0; times < 2; times++) {
      const before = this.#reads
      delivery.refresh()
      await eventually(() => assert.ok(this.#reads > before))
    }
  }

  /**
   * Until the check holds, while the clock of delivery goes on by a minute with each try: no batch waits for its interval,
   * also where the one before is not closed yet.
   */
  later(check: () => Promise<void>): Promise<void> {
    return eventually(() => {
      this.aheadMs += 60_000
      return check()
    })
  }

  /** The name of a writer’s partition for readers. */
  async partition(writer = 'edge-1'): Promise<string> {
    const all = await this.reader.partitions()
    return all.find(name => splitPartitionName(name).name === writer)!
  }

  /** The reader, as an object whose methods can be replaced. */
  watching(): RecordReader {
    const { reader } = this
    return {
      log: reader.log,
      parts: reader.parts,
      partitions: () => reader.partitions(),
      head: partition => reader.head(partition),
      read: (partition, sequence, limits) => reader.read(partition, sequence, limits),
      release: (partition, sequence) => reader.release(partition, sequence),
      at: (partition, ms) => reader.at(partition, ms),
      stats: () => reader.stats(),
      isFull: () => reader.isFull(),
      undeliveredShare: () => reader.undeliveredShare(),
      close: () => reader.close(),
    }
  }

  folder(name: string): string {
    return `file://${join(this.directory, name)}`
  }

  /** Objects of a folder, by name; none when the folder is not there. */
  async files(name: string): Promise<DeliveredFile[]> {
    const path = join(this.directory, name)
    const names = await readdir(path).catch(() => [])
    return Promise.all(
      names
        .filter(file => file.endsWith('.log.gz') || file.endsWith('.parquet'))
        .sort()
        .map(async file => ({ name: file, content: await readFile(join(path, file)) })),
    )
  }

  /** Sorted: objects of one second have no order among them. */
  async ids(name: string): Promise<string[]> {
    return (await this.files(name)).flatMap(({ content }) => idsIn(content)).sort()
  }

  async #close(): Promise<void> {
    for (const delivery of this.#running) await delivery.stop()
    await this.log.close()
    await this.store.close()
    await rm(this.directory, { recursive: true, force: true })
  }
}

/** A store, some calls of it replaced. */
export function storeWith(
  store: Store,
  changes: { readonly jobs?: Partial<Store['jobs']>; readonly delivery?: Partial<Store['delivery']> },
): Store {
  return {
    ...store,
    jobs: { ...store.jobs, ...changes.jobs },
    delivery: { ...store.delivery, ...changes.delivery },
  }
}

export function idsIn(object: Buffer): string[] {
  const lines = gunzipSync(object).toString('utf8').split('\n')
  return lines.filter(line => line !== '').map(line => (JSON.parse(line) as { RayID: string }).RayID)
}

/** Until the check holds, for fifteen seconds at most; then with what it says. */
export async function eventually(check: () => Promise<void> | void): Promise<void> {
  const deadline = Date.now() + 15_000
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}
