import { isBehind } from '../../logpush/index.ts'
import type { LogpushJob } from '../../model/resource.ts'
import { alertLimits } from '../limits.ts'
import type { Condition, Finding, Look } from '../look.ts'

/** Jobs that have stopped: delivery is paused until somebody edits them. */
export const stoppedJobs: Condition = async ({ accountId }, look) =>
  (await enabledJobs(accountId, look))
    .filter(({ paused }) => paused)
    .map(job => ({
      subject: `job ${job.id}`,
      text: `Logpush ${nameOf(job)} has stopped: ${job.errorMessage ?? 'its delivery failed'}. Edit the job to resume.`,
      endText: `Logpush ${nameOf(job)} has resumed.`,
      data: { ...dataOf(job), last_error: job.lastError, error_message: job.errorMessage },
    }))

/** Jobs whose records wait. A stopped job has a separate alert. */
export const lateJobs: Condition = async ({ accountId }, look) => {
  const jobs = (await enabledJobs(accountId, look))
    .filter(({ paused }) => !paused)
    .toSorted((a, b) => Number(b.errorMessage !== null) - Number(a.errorMessage !== null))
  const found: Finding[] = []
  for (const job of jobs.slice(0, alertLimits.jobsMax)) {
    const lagMs = await look.once(`lag of job ${job.id}`, () => lagOf(job, look))
    if (!isBehind(job, lagMs / 1000)) continue
    const minutes = Math.floor(lagMs / 60_000)
    const why = job.errorMessage === null ? '' : `; the last upload failed: ${job.errorMessage}`
    found.push({
      subject: `job ${job.id}`,
      text: `Logpush ${nameOf(job)} is behind: its oldest log record has waited for ${minutes} minutes${why}.`,
      endText: `Logpush ${nameOf(job)} has caught up.`,
      data: { ...dataOf(job), lag_seconds: Math.floor(lagMs / 1000), error_message: job.errorMessage },
      isFading: lagMs < alertLimits.lagMs,
    })
  }
  return found
}

async function enabledJobs(accountId: string, look: Look): Promise<readonly LogpushJob[]> {
  const jobs = await look.once(`jobs of ${accountId}`, () => look.sources.store.jobs.listOfAccount(accountId))
  return jobs.filter(({ enabled }) => enabled)
}

async function lagOf(job: LogpushJob, { sources, nowMs }: Look): Promise<number> {
  const hour = `${new Date(nowMs).toISOString().slice(0, 13)}:00:00Z`
  const { oldestUndelivered } = await sources.reportJob(job, hour)
  return oldestUndelivered === null ? 0 : Math.max(0, nowMs - Date.parse(oldestUndelivered))
}

function nameOf({ id, name, dataset }: LogpushJob): string {
  return name === null || name === '' ? `job ${id} (${dataset})` : `job ${id}, ${name} (${dataset}),`
}

function dataOf({ id, name, dataset, scope }: LogpushJob) {
  return { job_id: id, job_name: name, dataset, ...(scope.kind === 'zone' ? { zone_tag: scope.id } : {}) }
}
