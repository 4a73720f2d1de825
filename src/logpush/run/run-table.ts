import type { LogpushJob } from '../../model/resource.ts'
import type { Resets } from '../stream/resets.ts'
import type { RecordSource } from '../stream/source.ts'
import type { Stream } from '../stream/stream.ts'
import { hourOf } from './counts.ts'
import { JobRun } from './job-run.ts'
import { auditLog, type Leases, type Work } from './leases.ts'
import { ReplayRun } from './replay-run.ts'
import type { RunDeps } from './uploader.ts'

/** A log that jobs read, and its followers. */
export interface Log {
  readonly source: RecordSource
  readonly stream: Stream
}

interface RunTableOptions {
  /** Of every run. */
  readonly deps: RunDeps
  readonly leases: Leases
  readonly resets: Resets
  readonly records: Log
  /** `RecordReader.log` of the records. */
  readonly recordsName: string
  readonly audit: Log
}

/** The jobs and replays that run in this process: those in the store for which it has leases. */
export class RunTable {
  readonly #options: RunTableOptions
  readonly #jobs = new Map<number, JobRun>()
  readonly #replays = new Map<string, ReplayRun>()
  /** Jobs whose leases are returned once their work in progress has ended. */
  readonly #leaving = new Map<number, Promise<void>>()
  /** Whether some work is to be taken as soon as its lease is free. */
  #waiting = false
  #refreshing = Promise.resolve()
  #refreshWaits = false
  #stopped = false

  constructor(options: RunTableOptions) {
    this.#options = options
  }

  get jobs(): readonly JobRun[] {
    return [...this.#jobs.values()]
  }

  /** Re-reads the jobs and replays of the store. */
  refresh(): void {
    // A refresh that has not begun yet will see the change.
    if (this.#refreshWaits) return
    this.#refreshWaits = true
    this.#refreshing = this.#refreshing.then(() => {
      this.#refreshWaits = false
      return this.#stopped ? undefined : this.#refresh()
    })
  }

  /** Some job is not taken yet, because another process still has its lease. */
  get isWaiting(): boolean {
    return this.#waiting
  }

  /** No job is taken from now on. Resolves when the refresh in progress has ended. */
  close(): Promise<void> {
    this.#stopped = true
    return this.#refreshing
  }

  /** Resolves when every job follows its stream, or cannot yet. */
  async begun(): Promise<void> {
    await Promise.all(this.jobs.map(run => run.begun))
  }

  /** Delivers the collected lines of all jobs, with one attempt, and ends all runs. */
  async finish(): Promise<void> {
    await Promise.all(this.jobs.map(run => run.finish()))
    await Promise.all(Array.from(this.#replays.values(), run => run.stop()))
    await Promise.all(this.#leaving.values())
  }

  /** Ends all runs without waiting for their work in progress. */
  abandon(): void {
    for (const run of [...this.#jobs.values(), ...this.#replays.values()]) void run.stop()
  }

  async #refresh(): Promise<void> {
    const { deps, leases, resets } = this.#options
    try {
      if (!leases.known) await leases.beat()
      // Before a job begins: a position in a lost log is meaningless in the new one.
      await resets.look(hourOf(deps.clock.nowMs()))
      const enabled = await deps.store.jobs.listEnabled()
      await this.#applyJobs(enabled)
      await this.#applyReplays(enabled)
    } catch (error) {
      deps.onError('the jobs cannot be read; delivery continues with the known ones', error)
      if (!this.#stopped) setTimeout(() => this.refresh(), refreshAgainMs).unref()
    }
  }

  async #applyJobs(enabled: readonly LogpushJob[]): Promise<void> {
    const { deps, leases } = this.#options
    const ours = enabled.filter(job => leases.isOurs(this.#workOf(job)))
    const held = await leases.take(ours.map(job => this.#workOf(job)))
    this.#waiting = false
    const ids = new Set(ours.map(job => job.id))
    for (const [id, run] of this.#jobs) if (!ids.has(id) || run.held !== held.get(id)) this.#leave(id, run)
    for (const job of ours) {
      const lease = held.get(job.id)
      const run = this.#jobs.get(job.id)
      if (run !== undefined) run.update(job)
      else if (lease === undefined || this.#leaving.has(job.id)) this.#waiting = true
      else {
        const { source, stream } = this.#logOf(job)
        this.#jobs.set(job.id, new JobRun(job, lease, deps, stream, source))
      }
    }
  }

  async #applyReplays(enabled: readonly LogpushJob[]): Promise<void> {
    const { deps } = this.#options
    const byId = new Map(enabled.map(job => [job.id, job]))
    const running = new Set<string>()
    for (const { replay, until, log } of await deps.store.replays.running()) {
      const key = `${replay.jobId}/${replay.id}`
      const job = byId.get(replay.jobId)
      const held = this.#jobs.get(replay.jobId)?.held
      // Another process has the job, or the replay reads another log.
      if (job === undefined || held === undefined || (log !== '' && log !== held.lease.log)) continue
      running.add(key)
      const run = this.#replays.get(key)
      if (run === undefined)
        this.#replays.set(key, new ReplayRun(job, replay, until, held, deps, this.#logOf(job).source))
      else run.update(job)
    }
    for (const [key, run] of this.#replays) {
      if (running.has(key)) continue
      void run.stop()
      this.#replays.delete(key)
    }
  }

  #leave(id: number, run: JobRun): void {
    const { deps, leases } = this.#options
    this.#jobs.delete(id)
    const ends = [run.stop()]
    for (const [key, replay] of this.#replays) {
      if (replay.held !== run.held) continue
      this.#replays.delete(key)
      ends.push(replay.stop())
    }
    const left = Promise.all(ends)
      .then(() => leases.release(run.held))
      .catch(error => deps.onError(`the lease of job ${id} cannot be returned; retrying`, error))
      .finally(() => {
        this.#leaving.delete(id)
        if (this.#waiting) this.refresh()
      })
    this.#leaving.set(id, left)
  }

  #logOf({ dataset }: LogpushJob): Log {
    return dataset === 'audit_logs' ? this.#options.audit : this.#options.records
  }

  #workOf({ id, dataset }: LogpushJob): Work {
    return { jobId: id, log: dataset === 'audit_logs' ? auditLog : this.#options.recordsName }
  }
}

/** After the store could not be read. */
const refreshAgainMs = 1000
