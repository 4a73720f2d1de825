import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { RecordLog, RecordReader } from '../../src/bus/index.ts'
import { startJob } from '../../src/logpush/index.ts'
import { splitPartitionName } from '../../src/model/partition-name.ts'
import type { Store } from '../../src/store/index.ts'
import { eventually } from '../support/eventually.ts'
import { type Server, startNats } from '../support/servers.ts'
import type { SharedPostgres } from '../support/shared-postgres.ts'
import { everythingArrived, manifestsWritten } from './arrival.ts'
import { Bucket, type Trouble } from './bucket.ts'
import type { Spares } from './children.ts'
import { aheadToHourEnd, hourMs } from './clock.ts'
import { openDatabase } from './database.ts'
import { type JobPlan, jobOf } from './jobs.ts'
import { type DroppedRange, droppedRange } from './losses.ts'
import type { LogOptions, Report } from './messages.ts'
import { recordLogOf } from './open-log.ts'
import { Random } from './random.ts'
import { accountId, otherAccountId, type RecordName, rayOf, zoneIds } from './records.ts'
import type { AskedReplay } from './replays.ts'
import type { Scenario } from './scenario.ts'
import { Watched } from './watched.ts'

/** So long delivery may stand still with what is left when the faults are over. */
const quietMsMax = 30_000
/** A delivery that is told to stop waits for its destinations for five seconds; a busy machine for longer. */
const stopMsMax = 40_000
/** By then a stream that was deleted is there again. */
const remadeMs = 800

/** The run of one seed: its processes, its destinations and their faults. */
export class SeedRun {
  readonly scenario: Scenario
  readonly directory = mkdtempSync(join(tmpdir(), 'sluice-faults-'))
  readonly bucket: Bucket
  /** The problems found. */
  readonly problems: string[] = []
  /** The events with their times, for the search for a cause. */
  readonly story: string[] = []
  readonly injected = new Map<string, number>()
  readonly writers: Watched[] = []
  readonly durable = new Map<string, { readonly name: RecordName; number: number }>()
  readonly replays: AskedReplay[] = []
  readonly startMs = Date.now()
  /** Undelivered records that the log has dropped for its quota, as it says. */
  readonly dropped: DroppedRange[] = []
  /** Logs that were lost after a job had delivered something of them, by job. */
  readonly lostLogs = new Map<JobPlan, Set<string>>()
  /** Names of the paused jobs. */
  readonly pausedJobs = new Set<string>()
  readonly jobIds = new Map<JobPlan, number>()
  store!: Store
  delivery!: Watched
  nats: Server | undefined
  /** A writer that is killed leaves a torn record behind. */
  tearing = false
  /** The kind of the trap that delivery walks into next. */
  trapName = ''
  readonly #spares: Spares
  readonly #postgres: SharedPostgres
  #aheadMs = 0
  #mostAheadMs = 0
  /** Writers whose part of the spool is gone when they start again. */
  readonly #losing = new Set<number>()
  /** Writer → the last of its lives whose records went with their log. */
  readonly #lostLives = new Map<number, number>()
  #calm = false
  #database = join(this.directory, 'sluice.db')
  #log!: RecordLog
  reader!: RecordReader

  constructor(scenario: Scenario, spares: Spares, postgres: SharedPostgres) {
    this.#postgres = postgres
    this.scenario = scenario
    this.#spares = spares
    this.bucket = new Bucket(scenario.conditions, scenario.quota)
  }

  /** File, or URL. */
  get database(): string {
    return this.#database
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
    this.story.push(`${Date.now() - this.startMs} ms: ${what}`)
  }

  async open(): Promise<void> {
    mkdirSync(this.files)
    await this.bucket.open()
    if (this.scenario.nats) this.nats = await startNats()
    if (this.scenario.postgres) this.#database = await this.#postgres.database()
    this.store = await openDatabase(this.#database, true)
    await addZones(this.store)
    this.#log = await recordLogOf(this.#logOptions())
    this.reader = await this.#log.reader()
    if (!this.scenario.jobsFirst && this.nats === undefined)
      for (const partition of this.scenario.writers.flat())
        await this.#log.writer(partition).then(writer => writer.close())
    for (const plan of this.scenario.jobs) await this.#addJob(plan)
    const { hourEndsMs } = this.scenario
    if (hourEndsMs !== undefined) this.#aheadMs = this.#mostAheadMs = aheadToHourEnd(hourEndsMs)
    this.delivery = this.#watchDelivery()
    for (const index of this.scenario.writers.keys()) this.writers.push(this.#watchWriter(index))
  }

  /** Adds a fault for later requests; each occurrence is counted. */
  trouble(
    kind: string,
    trouble: Pick<Trouble, 'at' | 'act' | 'on' | 'after'> & { times?: number; onStrike?: () => void },
  ): void {
    const onStrike = () => {
      this.count(kind)
      trouble.onStrike?.()
    }
    this.bucket.troubles.push({ times: 1, ...trouble, onStrike })
  }

  /** Writers die, and the partitions that they wrote are not there when they come back: a disk that was wiped. */
  async loseSpool(writers: readonly number[]): Promise<void> {
    const names = writers.flatMap(writer => this.scenario.writers[writer]!)
    await this.#noteLoss(partition => names.includes(splitPartitionName(partition).name))
    for (const writer of writers) this.#losing.add(writer)
    await Promise.all(writers.map(writer => this.writers[writer]!.kill()))
  }

  /** The stream is deleted. So that it is known which records went with it, the writers die too. */
  async loseStream(): Promise<void> {
    await this.#noteLoss(() => true)
    const lives = this.writers.map(writer => writer.life)
    // Another fault may be restarting the server.
    await eventually(() => deleteStream(this.nats!.url))
    // They create it again. A starting process without a stream creates it at once, while the server may still be removing it.
    await sleep(remadeMs)
    await Promise.all(this.writers.map(writer => writer.kill()))
    for (const [writer, life] of lives.entries()) this.#forget(writer, life)
  }

  /** Of the machine, and so of all processes. */
  setClockBack(ms: number): void {
    this.#aheadMs -= ms
    for (const watched of [this.delivery, ...this.writers]) watched.tell({ clockAheadMs: this.#aheadMs })
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
    this.#calm = true
    this.bucket.troubles.length = 0
    await this.bucket.open()
    await this.#healed()
    await Promise.all(this.writers.map(writer => writer.ready()))
    const finished = await Promise.all(this.writers.map(writer => writer.end({ tell: 'finish' }, quietMsMax)))
    if (finished.includes(false)) this.problems.push('a writer cannot bring its records to the log')
    this.tell('all is written')
    await everythingArrived(this, quietMsMax)
    if (this.scenario.hourEndsMs !== undefined) {
      // Every hour is over then.
      this.delivery.tell({ clockAheadMs: this.#mostAheadMs + hourMs })
      await manifestsWritten(this, quietMsMax)
    }
    if (!(await this.delivery.end({ tell: 'stop' }, stopMsMax)))
      this.problems.push('delivery does not stop in the end')
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

  async #addJob(plan: JobPlan): Promise<void> {
    const job = await this.store.jobs.insert(jobOf(plan, this.bucket.url, this.files))
    await startJob(this, job)
    await this.store.jobs.update({ ...job, enabled: true })
    this.jobIds.set(plan, job.id)
  }

  #logOptions(): LogOptions {
    return {
      directory: this.spool,
      natsUrl: this.nats?.url,
      aheadMs: this.#aheadMs,
      policy: this.scenario.policy,
    }
  }

  /** With NATS each writer is a machine with its own spool. */
  #writerLog(writer: number): LogOptions {
    const options = this.#logOptions()
    return this.nats === undefined
      ? options
      : { ...options, directory: join(options.directory, `machine-${writer}`) }
  }

  #watchDelivery(): Watched {
    return new Watched({
      spares: this.#spares,
      kind: 'delivery',
      task: () => {
        const { database } = this
        const { partsFromBytes, uploadMs } = this.scenario
        return { log: this.#logOptions(), database, partsFromBytes, uploadMs, calm: this.#calm }
      },
      onReport: report => this.#onReport(report),
      onDeath: why => {
        if (why === undefined) this.count(this.trapName)
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
      task: life => ({
        log: this.#writerLog(writer),
        shape,
        writer,
        life,
        partitions,
        recordsMax,
        groupMax,
        pauseMs,
      }),
      onReport: (report, life) => this.#onReport(report, { writer, life }),
      onDeath: why => this.problems.push(`writer ${why ?? 'was killed from outside'}`),
      beforeNext: life => {
        if (this.#losing.delete(writer)) {
          this.#forget(writer, life)
          for (const name of partitions) rmSync(join(this.spool, name), { recursive: true, force: true })
        } else if (this.tearing && this.nats === undefined) this.#tear(partitions)
      },
    })
  }

  #onReport(report: Report, from?: { writer: number; life: number }): void {
    const { durable, fault, outcome } = report
    if (durable !== undefined && from !== undefined && from.life > (this.#lostLives.get(from.writer) ?? 0)) {
      const name = { ...from, partition: durable.partition, number: 0 }
      this.durable.set(rayOf(name), { name, number: durable.number })
    }
    if (fault !== undefined) this.#onFault(fault)
    if (report.failed) this.count('failed call')
    if (outcome?.outcome === 'paused') this.pausedJobs.add(outcome.job!)
    if (outcome !== undefined && outcome.outcome !== 'successful')
      this.tell(`${outcome.job}: ${outcome.outcome}: ${outcome.message}`)
  }

  async #noteLoss(isLost: (partition: string) => boolean): Promise<void> {
    this.bucket.expectLosses()
    const lost = (await eventually(() => this.reader.partitions())).filter(isLost)
    for (const [plan, jobId] of this.jobIds) {
      const cursors = await this.store.delivery.cursors({ jobId, replay: 0 })
      const read = lost.filter(partition => (cursors.get(partition) ?? 0) > 0)
      // One that is switched off and on forgets its cursors by that.
      if (!plan.onAndOff) this.lostLogs.set(plan, new Set([...(this.lostLogs.get(plan) ?? []), ...read]))
    }
  }

  /** Records that a writer wrote up to this life need not arrive. */
  #forget(writer: number, life: number): void {
    this.#lostLives.set(writer, life)
    for (const [ray, { name }] of this.durable)
      if (name.writer === writer && name.life <= life) this.durable.delete(ray)
  }

  #onFault({ code, message, dropped }: NonNullable<Report['fault']>): void {
    this.tell(`${code}: ${message}`)
    if (code === 'quota' && this.scenario.quota) this.dropped.push(droppedRange(message))
    else if (dropped > 0) this.problems.push(`${dropped} records were dropped: ${message}`)
  }

  /** As a death in the middle of a write leaves it. */
  #tear(partitions: readonly string[]): void {
    const random = new Random(this.scenario.shape.seed)
    for (const partition of partitions) {
      // It was lost, and who was to make it again died before.
      if (!existsSync(join(this.spool, partition))) continue
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

async function deleteStream(url: string): Promise<void> {
  const connection = await connect({ servers: url })
  try {
    const { streams } = await jetstreamManager(connection)
    for await (const name of streams.names()) await streams.delete(name)
  } finally {
    await connection.close()
  }
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
      type: 'full' as const,
      createdOn,
      modifiedOn: createdOn,
    })
}
