import { isBehind } from '../../logpush/index.ts'
import type { LogpushJob } from '../../model/resource.ts'
import { alertLimits } from '../limits.ts'
import type { Condition, Finding, Look, Sight } from '../look.ts'

/** A job stops when its delivery fails for good. The job resumes when a user edits it. */
export const stoppedJobs: Condition = async ({ accountId }, look) => {
  const [paused, running] = await jobsOf(accountId, look)
  return {
    findings: paused.map(job => ({
      subject: subjectOf(job),
      text: `Logpush ${nameOf(job)} has stopped: ${job.errorMessage ?? 'its delivery failed'}. Edit the job to resume.`,
      endText: `Logpush ${nameOf(job)} has resumed.`,
      data: { ...dataOf(job), last_error: job.lastError, error_message: job.errorMessage },
    })),
    absenceOf: recoveryOf(running),
  }
}

/** Jobs whose records wait. A stopped job has a separate alert. */
export const lateJobs: Condition = async ({ accountId }, look) => {
  const [, running] = await jobsOf(accountId, look)
  const jobs = running
    .toSorted((a, b) => Number(b.errorMessage !== null) - Number(a.errorMessage !== null))
    .slice(0, alertLimits.jobsMax)
  const findings: Finding[] = []
  for (const job of jobs) {
    const lagMs = await look.once(`lag of job ${job.id}`, () => lagOf(job, look))
    if (!isBehind(job, lagMs / 1000)) continue
    const minutes = Math.floor(lagMs / 60_000)
    const why = job.errorMessage === null ? '' : `; the last upload failed: ${job.errorMessage}`
    findings.push({
      subject: subjectOf(job),
      text: `Logpush ${nameOf(job)} is behind: its oldest log record has waited for ${minutes} minutes${why}.`,
      endText: `Logpush ${nameOf(job)} has caught up.`,
      data: { ...dataOf(job), lag_seconds: Math.floor(lagMs / 1000), error_message: job.errorMessage },
      isFading: lagMs < alertLimits.lagMs,
    })
  }
  return { findings, absenceOf: recoveryOf(jobs) }
}

/** The enabled jobs of an account: first the stopped jobs, then the others. */
async function jobsOf(accountId: string, look: Look) {
  const jobs = await look.once(`jobs of ${accountId}`, () => look.sources.store.jobs.listOfAccount(accountId))
  const [paused, running]: LogpushJob[][] = [[], []]
  for (const job of jobs) if (job.enabled) (job.paused ? paused : running)!.push(job)
  return [paused!, running!] as const
}

/** A job that is deleted, disabled or stopped has not recovered. */
function recoveryOf(running: readonly LogpushJob[]): Sight['absenceOf'] {
  const subjects = new Set(running.map(subjectOf))
  return ({ subject }) => (subjects.has(subject) ? 'recovered' : 'gone')
}

function subjectOf({ id }: LogpushJob): string {
  return `job ${id}`
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
