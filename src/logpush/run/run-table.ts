import { wholeLogOf } from '../../model/log-name.ts'
import type { LogpushJob } from '../../model/resource.ts'
import type { Resets } from '../stream/resets.ts'
import { hourOf } from './counts.ts'
import { JobRun } from './job-run.ts'
import type { Leases } from './leases.ts'
import type { Log } from './log.ts'
import { ReplayRun } from './replay-run.ts'
import type { RunDeps } from './run-deps.ts'
import { keyOf, type Work } from './shares.ts'

interface RunTableOptions {
  /** Of every run. */
  readonly deps: RunDeps
  readonly leases: Leases
  readonly resets: Resets
  /** The parts of the record log. */
  readonly records: readonly Log[]
  readonly audit: Log
}

interface JobWork extends Work {
  readonly job: LogpushJob
  readonly of: Log
}

/**
 * The jobs and replays that run in this process: those in the store for which it has leases. A job has a run for each
 * part of its log.
 */
export class RunTable {
  readonly #options: RunTableOptions
  /** By `keyOf` their work, as below. */
  readonly #runs = new Map<string, JobRun>()
  readonly #replays = new Map<string, ReplayRun>()
  /** Runs whose leases are returned once their work in progress has ended. */
  readonly #leaving = new Map<string, Promise<void>>()
  /** Whether some work is to be taken as soon as its lease is free. */
  #waiting = false
  #refreshing = Promise.resolve()
  #refreshWaits = false
  #stopped = false

  constructor(options: RunTableOptions) {
    this.#options = options
  }

  get runs(): readonly JobRun[] {
    return [...this.#runs.values()]
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

  /** Some work is not taken yet, because another process still has its lease. */
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
    await Promise.all(this.runs.map(run => run.begun))
  }

  /** Delivers the collected lines of all jobs, with one attempt, and ends all runs. */
  async finish(): Promise<void> {
    await Promise.all(this.runs.map(run => run.finish()))
    await Promise.all(Array.from(this.#replays.values(), run => run.stop()))
    await Promise.all(this.#leaving.values())
  }

  /** Ends all runs without waiting for their work in progress. */
  abandon(): void {
    for (const run of [...this.#runs.values(), ...this.#replays.values()]) void run.stop()
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
    const ours = leases.oursOf(enabled.flatMap(job => this.#worksOf(job)))
    const held = await leases.take(ours)
    this.#waiting = false
    const keys = new Set(ours.map(keyOf))
    for (const [key, run] of this.#runs)
      if (!keys.has(key) || run.held !== held.get(key)) this.#leave(key, run)
    for (const work of ours) {
      const key = keyOf(work)
      const lease = held.get(key)
      const run = this.#runs.get(key)
      if (run !== undefined) run.update(work.job)
      else if (lease === undefined || this.#leaving.has(key)) this.#waiting = true
      else this.#runs.set(key, new JobRun(work.job, lease, deps, work.of))
    }
  }

  async #applyReplays(enabled: readonly LogpushJob[]): Promise<void> {
    const { deps } = this.#options
    const byId = new Map(enabled.map(job => [job.id, job]))
    const running = new Set<string>()
    for (const { replay, until, log } of await deps.store.replays.running()) {
      const key = `${replay.jobId}/${replay.id}`
      const job = byId.get(replay.jobId)
      const leading = job && this.#logsOf(job).find(log => log.leads(job))!
      const held = leading && this.#runs.get(keyOf({ jobId: replay.jobId, log: leading.name }))?.held
      // Another process has the job, or the replay reads another log.
      if (job === undefined || leading === undefined || held === undefined) continue
      if (log !== '' && log !== wholeLogOf(leading.name)) continue
      running.add(key)
      const run = this.#replays.get(key)
      if (run === undefined)
        this.#replays.set(key, new ReplayRun(job, replay, until, held, deps, leading.source))
      else run.update(job)
    }
    for (const [key, run] of this.#replays) {
      if (running.has(key)) continue
      void run.stop()
      this.#replays.delete(key)
    }
  }

  #leave(key: string, run: JobRun): void {
    const { deps, leases } = this.#options
    const { jobId } = run.held.lease
    this.#runs.delete(key)
    const ends = [run.stop()]
    for (const [replayKey, replay] of this.#replays) {
      if (replay.held !== run.held) continue
      this.#replays.delete(replayKey)
      ends.push(replay.stop())
    }
    const left = Promise.all(ends)
      .then(() => leases.release(run.held))
      .catch(error => deps.onError(`the lease of job ${jobId} cannot be returned; retrying`, error))
      .finally(() => {
        this.#leaving.delete(key)
        if (this.#waiting) this.refresh()
      })
    this.#leaving.set(key, left)
  }

  #logsOf({ dataset }: LogpushJob): readonly Log[] {
    return dataset === 'audit_logs' ? [this.#options.audit] : this.#options.records
  }

  #worksOf(job: LogpushJob): readonly JobWork[] {
    return this.#logsOf(job).map(of => ({
      job,
      of,
      jobId: job.id,
      log: of.name,
      busy: of.has(job.scope),
    }))
  }
}

/** After the store could not be read. */
const refreshAgainMs = 1000
