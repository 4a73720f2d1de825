import type { RecordReader } from '../bus/port.ts'
import type { LogpushJob } from '../model/resource.ts'
import type { Store } from '../store/port.ts'
import { JobRunner } from './job-runner.ts'
import type { Delivery, DeliveryDeps } from './types.ts'

/** How often the log is told what is delivered, and removes what it has kept for long enough. */
const releaseIntervalMs = 10_000

/** How long a stop waits for destinations. Their batches are written down, so nothing is lost by leaving. */
const finishMs = 5_000

/** Runs every enabled job until stopped. Jobs do not wait for each other. */
export function startDelivery(deps: DeliveryDeps): Delivery {
  const runners = new Map<number, JobRunner>()
  let refreshing = Promise.resolve()
  let stopped = false

  const apply = (jobs: readonly LogpushJob[]) => {
    const enabled = new Set(jobs.map(job => job.id))
    for (const [id, runner] of runners) {
      if (enabled.has(id)) continue
      runner.stop()
      runners.delete(id)
    }
    for (const job of jobs) {
      const runner = runners.get(job.id)
      if (runner !== undefined) runner.update(job)
      else runners.set(job.id, new JobRunner(job, deps))
    }
  }
  const refresh = () => {
    refreshing = refreshing.then(async () => {
      if (stopped) return
      try {
        apply(await deps.store.jobs.listEnabled())
      } catch (error) {
        deps.onError('the jobs cannot be read; delivery goes on with those it knows', error)
        if (!stopped) setTimeout(refresh, 1000).unref()
      }
    })
  }
  refresh()
  const release = setInterval(() => {
    releaseDelivered(deps).catch(error => deps.onError('delivered records cannot be released', error))
  }, releaseIntervalMs)

  return {
    refresh,
    async stop() {
      stopped = true
      clearInterval(release)
      await refreshing
      const finished = Promise.all([...runners.values()].map(runner => runner.finish()))
      if (await endsWithin(finishMs, finished)) return
      for (const runner of runners.values()) runner.stop()
      deps.onError('a destination does not answer; the next start goes on with its batch')
    },
  }
}

/** Lets a job that becomes enabled begin at the newest records: what came before is not delivered. */
export async function startJob(store: Store, reader: RecordReader, jobId: number): Promise<void> {
  // It may have run before, and what ended it may have died before it was forgotten.
  await store.delivery.stop(jobId)
  for (const partition of await reader.partitions())
    await store.delivery.start({ jobId, partition, sequence: await reader.head(partition) })
}

/** Marks as delivered what every enabled job has behind it; with no job, everything. */
async function releaseDelivered(deps: DeliveryDeps): Promise<void> {
  const { store, reader } = deps
  // Heads first: a job that is made after this line starts at or after them.
  const heads = new Map<string, number>()
  for (const partition of await reader.partitions()) heads.set(partition, await reader.head(partition))
  const jobs = await store.jobs.listEnabled()
  const cursors = await Promise.all(jobs.map(job => store.delivery.cursors(job.id)))
  for (const [partition, head] of heads) {
    let delivered = head
    for (const cursorsOfJob of cursors) {
      const cursor = cursorsOfJob.find(candidate => candidate.partition === partition)
      delivered = Math.min(delivered, cursor?.sequence ?? 0)
    }
    if (delivered > 0) await reader.release(partition, delivered)
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
