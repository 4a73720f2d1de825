import type { LogpushJob } from '../model/resource.ts'
import type { Move } from '../store/port.ts'
import { Counts } from './run/counts.ts'
import { JobRun } from './run/job-run.ts'
import { Lags } from './run/lags.ts'
import { usualPace } from './run/pace.ts'
import { releaseDelivered } from './run/release.ts'
import { ReplayRun } from './run/replay-run.ts'
import type { RunDeps } from './run/uploader.ts'
import { auditSource } from './stream/audit-source.ts'
import type { RecordSource } from './stream/source.ts'
import { Stream } from './stream/stream.ts'
import type { Delivery, DeliveryDeps } from './types.ts'

/** How long a stop waits for destinations. Their batches are written down, so nothing is lost by leaving. */
const finishMs = 5_000

/** How much of it is for the reading of the last records. */
const drainMs = 2_000

/** How often lags are looked at, and what is counted is written down. */
const countsMs = 1_000

/** A log that jobs read, and who follows it. */
interface Log {
  readonly source: RecordSource
  readonly stream: Stream
}

/** Runs every enabled job, and every replay, until stopped. */
export function startDelivery(given: DeliveryDeps): Delivery {
  const pace = { ...usualPace, ...given.pace }
  const counts = new Counts(given.store, given.clock)
  const lags = new Lags(given.store, given.clock)
  const deps: RunDeps = { ...given, pace, counts }
  const { store, reader, clock, onError } = given
  const open = (source: RecordSource): Log => ({
    source,
    stream: new Stream({ source, clock, pace, onError }),
  })
  const records = open(reader)
  const audit = open(auditSource(store))
  const logOf = (job: LogpushJob) => (job.dataset === 'audit_logs' ? audit : records)
  const jobs = new Map<number, JobRun>()
  const replays = new Map<string, ReplayRun>()
  let refreshing = Promise.resolve()
  let refreshWaits = false
  let stopped = false

  const applyJobs = (enabled: readonly LogpushJob[]) => {
    const ids = new Set(enabled.map(job => job.id))
    for (const [id, run] of jobs) {
      if (ids.has(id)) continue
      void run.stop()
      jobs.delete(id)
    }
    for (const job of enabled) {
      const { source, stream } = logOf(job)
      const run = jobs.get(job.id)
      if (run === undefined) jobs.set(job.id, new JobRun(job, deps, stream, source))
      else run.update(job)
    }
  }
  const applyReplays = async (all: readonly LogpushJob[]) => {
    const byId = new Map(all.map(job => [job.id, job]))
    const running = new Set<string>()
    for (const { replay, until } of await store.replays.running()) {
      const key = `${replay.jobId}/${replay.id}`
      const job = byId.get(replay.jobId)
      if (job === undefined) continue
      running.add(key)
      const run = replays.get(key)
      if (run === undefined) replays.set(key, new ReplayRun(job, replay, until, deps, logOf(job).source))
      else run.update(job)
    }
    for (const [key, run] of replays) {
      if (running.has(key)) continue
      void run.stop()
      replays.delete(key)
    }
  }
  const refresh = () => {
    // One that has not begun yet will see what changed.
    if (refreshWaits) return
    refreshWaits = true
    refreshing = refreshing.then(async () => {
      refreshWaits = false
      if (stopped) return
      try {
        const enabled = await store.jobs.listEnabled()
        applyJobs(enabled)
        await applyReplays(enabled)
      } catch (error) {
        onError('the jobs cannot be read; delivery goes on with those it knows', error)
        if (!stopped) setTimeout(refresh, 1000).unref()
      }
    })
  }
  const bringUpToDate = async () => {
    const moves = new Map<JobRun, Move>()
    for (const run of jobs.values()) {
      const move = run.idleAt
      if (move !== undefined) moves.set(run, move)
    }
    if (moves.size > 0) await store.delivery.advance([...moves.values()])
    for (const [run, move] of moves) run.moved(move)
    await releaseDelivered(store, reader)
  }
  const jobLags = () => Array.from(jobs.values(), run => run.lag())
  let upkeep: Promise<void> | undefined
  const timer = setInterval(() => {
    for (const run of jobs.values()) run.writeManifests()
    upkeep ??= bringUpToDate()
      .catch(error => onError('what is delivered cannot be written down; it is tried again', error))
      .finally(() => {
        upkeep = undefined
      })
  }, pace.upkeepMs)
  // More often, for those who look at how a job is doing right after they have made it.
  let counting: Promise<void> | undefined
  const countTimer = setInterval(() => {
    lags.see(jobLags())
    counting ??= counts
      .flush()
      .then(() => lags.flush())
      .catch(error => onError('counts of deliveries cannot be written; it is tried again', error))
      .finally(() => {
        counting = undefined
      })
  }, countsMs)
  refresh()

  const drain = async () => {
    await Promise.all([...jobs.values()].map(run => run.begun))
    await Promise.all([records.stream.drain(), audit.stream.drain()])
  }
  const finish = async () => {
    // A job whose destination does not answer, or a log that does not, keeps nobody from delivering what is there.
    await endsWithin(drainMs, drain()).catch(error =>
      onError('the last records cannot be read; the next start goes on there', error),
    )
    await Promise.all([...jobs.values()].map(run => run.finish()))
    await Promise.all([...replays.values()].map(run => run.stop()))
  }
  return {
    refresh,
    lags: jobLags,
    async stop() {
      stopped = true
      clearInterval(timer)
      clearInterval(countTimer)
      lags.see(jobLags())
      await refreshing
      if (!(await endsWithin(finishMs, finish()))) {
        for (const run of [...jobs.values(), ...replays.values()]) void run.stop()
        records.stream.close()
        audit.stream.close()
        onError('a destination does not answer; the next start goes on with its batch')
      }
      await Promise.all([upkeep, counting])
      await Promise.all([counts.flush(), lags.flush(true)]).catch(error =>
        onError('the counts of the last moments cannot be written', error),
      )
    },
  }
}

async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<false>(resolve => {
    timer = setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([work.then(() => true), timeout])
  } finally {
    clearTimeout(timer)
  }
}
