import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordLog, RecordReader } from '../../src/bus/index.ts'
import { startJob } from '../../src/logpush/index.ts'
import { openSqliteStore, type Store } from '../../src/store/index.ts'
import { type Server, startNats } from '../support/servers.ts'
import { Bucket, type Trouble } from './bucket.ts'
import type { Spares } from './children.ts'
import { type Durable, expectedOf, missingAt, objectsOf, problemsOf } from './delivered.ts'
import { type JobPlan, jobOf } from './jobs.ts'
import type { LogPlace, Report } from './messages.ts'
import { openLog } from './open-log.ts'
import { plainCipher } from './plain-cipher.ts'
import { Random } from './random.ts'
import { accountId, otherAccountId, type RecordName, rayOf, zoneIds } from './records.ts'
import type { Scenario } from './scenario.ts'
import { Watched } from './watched.ts'

/** So long delivery may take for what is left when the faults are over. */
const quietMsMax = 30_000
/** A delivery that is told to stop may wait for its destinations for five seconds. */
const stopMsMax = 12_000

/** One seed as it runs: its processes, its destinations, and what has been done to them. */
export class SeedRun {
  readonly scenario: Scenario
  readonly directory = mkdtempSync(join(tmpdir(), 'sluice-faults-'))
  readonly bucket: Bucket
  /** What is wrong. */
  readonly problems: string[] = []
  /** What was done, with the time, for whoever looks for a cause. */
  readonly story: string[] = []
  readonly injected = new Map<string, number>()
  readonly writers: Watched[] = []
  readonly jobIds = new Map<JobPlan, number>()
  store!: Store
  delivery!: Watched
  nats: Server | undefined
  /** A writer that is killed leaves a torn record behind. */
  tearing = false
  readonly #spares: Spares
  readonly #durable = new Map<string, { readonly name: RecordName; number: number }>()
  readonly #startMs = Date.now()
  #log!: RecordLog
  reader!: RecordReader

  constructor(scenario: Scenario, spares: Spares) {
    this.scenario = scenario
    this.#spares = spares
    this.bucket = new Bucket(scenario.conditions)
  }

  get database(): string {
    return join(this.directory, 'sluice.db')
  }

  get spool(): string {
    return join(this.directory, 'spool')
  }

  get files(): string {
    return join(this.directory, 'files')
  }

  /** One more of a kind of fault has really happened. */
  count(kind: string): void {
    this.injected.set(kind, (this.injected.get(kind) ?? 0) + 1)
    this.tell(kind)
  }

  tell(what: string): void {
    this.story.push(`${Date.now() - this.#startMs} ms: ${what}`)
  }

  async open(): Promise<void> {
    mkdirSync(this.files)
    await this.bucket.open()
    if (this.scenario.nats) this.nats = await startNats()
    this.store = await openSqliteStore(this.database, { migrate: true, cipher: plainCipher })
    await addZones(this.store)
    this.#log = await openLog(this.#place())
    this.reader = await this.#log.reader()
    if (!this.scenario.jobsFirst)
      for (const partition of this.scenario.writers.flat())
        await this.#log.writer(partition).then(writer => writer.close())
    for (const plan of this.scenario.jobs) await this.#addJob(plan)
    this.delivery = this.#watchDelivery()
    for (const index of this.scenario.writers.keys()) this.writers.push(this.#watchWriter(index))
  }

  /** Adds a trouble for requests to come; what happens is counted. */
  trouble(
    kind: string,
    at: Trouble['at'],
    act: Trouble['act'],
    { times = 1, after = 0, onStrike = () => {} } = {},
  ): void {
    const struck = () => {
      this.count(kind)
      onStrike()
    }
    this.bucket.troubles.push({ at, act, times, after, onStrike: struck })
  }

  refresh(): void {
    this.delivery.tell({ tell: 'refresh' })
  }

  /** Stops it as a service manager does; it is there again afterwards. */
  async restartDelivery(): Promise<void> {
    if (!(await this.delivery.restart({ tell: 'stop' }, stopMsMax)))
      this.problems.push('delivery does not stop')
  }

  /** The faults are over: everything must arrive. */
  async settle(): Promise<void> {
    this.tell('the faults are over')
    this.bucket.troubles.length = 0
    await this.bucket.open().catch(() => {})
    await this.#healed()
    await Promise.all(this.writers.map(writer => writer.ready()))
    const finished = await Promise.all(this.writers.map(writer => writer.end({ tell: 'finish' }, quietMsMax)))
    if (finished.includes(false)) this.problems.push('a writer cannot bring its records to the log')
    this.tell('all is written')
    await this.#arrived()
    if (!(await this.delivery.end({ tell: 'stop' }, stopMsMax)))
      this.problems.push('delivery does not stop in the end')
  }

  /** Looks at everything that lies there. @returns lines and objects */
  async inspect(): Promise<{ lines: number; objects: number }> {
    let lines = 0
    let count = 0
    this.problems.push(...this.bucket.violations)
    for (const plan of this.scenario.jobs) {
      const expected = expectedOf(plan, this.scenario.shape, this.#durable)
      const objects = objectsOf(plan, this.bucket, this.files)
      this.problems.push(...problemsOf(plan, this.scenario.shape, objects, expected, !this.scenario.nats))
      if (!plan.onAndOff) this.problems.push(...(await this.#leftOver(plan)))
      lines += expected.size
      count += objects.size
    }
    return { lines, objects: count }
  }

  async close(): Promise<void> {
    await Promise.all([this.delivery, ...this.writers].map(watched => watched?.close()))
    await this.#log?.close().catch(() => {})
    await this.store?.close()
    await this.bucket.close()
    await this.nats?.close()
    rmSync(this.directory, { recursive: true, force: true })
  }

  async #healed(): Promise<void> {
    await this.delivery.ready()
    this.delivery.tell({ tell: 'heal' })
    this.refresh()
  }

  /** Waits until every expected line is there; `inspect` says what is missing when it takes too long. */
  async #arrived(): Promise<void> {
    const expected = this.scenario.jobs
      .filter(({ onAndOff }) => !onAndOff)
      .map(plan => [plan, expectedOf(plan, this.scenario.shape, this.#durable)] as const)
    const deadlineMs = Date.now() + quietMsMax
    while (Date.now() < deadlineMs) {
      const waited = expected.filter(
        ([plan, rays]) => missingAt(objectsOf(plan, this.bucket, this.files), rays).size > 0,
      )
      if (waited.length === 0 && (await this.#isDone(expected.map(([plan]) => plan)))) return
      await sleep(30)
    }
  }

  async #isDone(plans: readonly JobPlan[]): Promise<boolean> {
    try {
      return (await Promise.all(plans.map(plan => this.#leftOver(plan)))).flat().length === 0
    } catch (error) {
      // A server that was restarted may not be there again for us.
      this.tell(`not to be told yet: ${error}`)
      return false
    }
  }

  /** What a job has not got behind it yet. */
  async #leftOver(plan: JobPlan): Promise<string[]> {
    const run = { jobId: this.jobIds.get(plan)!, replay: 0 }
    const problems: string[] = []
    if ((await this.store.delivery.openBatchOf(run)) !== undefined)
      problems.push(`${plan.name}: a batch is still open`)
    const cursors = await this.store.delivery.cursors(run)
    for (const partition of await this.reader.partitions()) {
      const head = await this.reader.head(partition)
      const place = cursors.get(partition) ?? 0
      if (place !== head) problems.push(`${plan.name}: it is at ${place} of ${head} in ${partition}`)
    }
    return problems
  }

  async #addJob(plan: JobPlan): Promise<void> {
    const job = await this.store.jobs.insert(jobOf(plan, this.bucket.url, this.files))
    await startJob(this, job)
    await this.store.jobs.update({ ...job, enabled: true })
    this.jobIds.set(plan, job.id)
  }

  #place(): LogPlace {
    return { directory: this.spool, natsUrl: this.nats?.url, policy: this.scenario.policy }
  }

  #watchDelivery(): Watched {
    return new Watched({
      spares: this.#spares,
      kind: 'delivery',
      task: () => ({ log: this.#place(), database: this.database, uploadMs: 300 }),
      onReport: report => this.#onReport(report),
      onDeath: why => {
        if (why === undefined) this.count('kill at a call')
        else this.problems.push(`delivery ${why}`)
      },
      beforeNext: () => {},
    })
  }

  #watchWriter(writer: number): Watched {
    const { shape, writers, groupMax, pauseMs, recordsMax } = this.scenario
    const partitions = writers[writer]!
    return new Watched({
      spares: this.#spares,
      kind: 'writer',
      task: life => ({ log: this.#place(), shape, writer, life, partitions, recordsMax, groupMax, pauseMs }),
      onReport: (report, life) => this.#onReport(report, { writer, life }),
      onDeath: why => this.problems.push(`writer ${why ?? 'was killed by somebody'}`),
      beforeNext: () => {
        if (this.tearing && this.nats === undefined) this.#tear(partitions)
      },
    })
  }

  #onReport(report: Report, from?: { writer: number; life: number }): void {
    const { durable, fault, outcome } = report
    if (durable !== undefined && from !== undefined) {
      const name = { ...from, partition: durable.partition, number: 0 }
      this.#durable.set(rayOf(name), { name, number: durable.number })
    }
    if (fault !== undefined) this.#onFault(fault)
    if (report.failed) this.count('failed call')
    if (outcome !== undefined && outcome.outcome !== 'successful')
      this.tell(`${outcome.job}: ${outcome.outcome}: ${outcome.message}`)
  }

  #onFault({ code, message, dropped }: NonNullable<Report['fault']>): void {
    this.tell(`${code}: ${message}`)
    if (dropped > 0) this.problems.push(`${dropped} records were dropped: ${message}`)
  }

  /** As a death in the middle of a write leaves it. */
  #tear(partitions: readonly string[]): void {
    const random = new Random(this.scenario.shape.seed)
    for (const partition of partitions) {
      const newest = readdirSync(join(this.spool, partition))
        .filter(name => name.endsWith('.log'))
        .sort()
        .at(-1)
      if (newest === undefined) continue
      const torn = Buffer.from(Array.from({ length: random.int(1, 60) }, () => random.int(0, 255)))
      appendFileSync(
        join(this.spool, partition, newest),
        random.chance(0.5) ? torn : Buffer.alloc(torn.length),
      )
      this.count('torn record')
    }
  }
}

export function durableOf(durable: Durable): number {
  let records = 0
  for (const { number } of durable.values()) records += number
  return records
}

async function addZones(store: Store): Promise<void> {
  const createdOn = '2026-01-01T00:00:00.000000Z'
  for (const id of [accountId, otherAccountId]) await store.accounts.insert({ id, name: id, createdOn })
  for (const [index, id] of zoneIds.entries())
    await store.zones.insert({
      id,
      accountId: index === 2 ? otherAccountId : accountId,
      name: `zone-${index}.example`,
      originUrl: 'http://127.0.0.1:9000',
      paused: false,
      createdOn,
      modifiedOn: createdOn,
    })
}
