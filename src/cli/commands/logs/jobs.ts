import { type JobBackends, type JobReport, maskedDestination, reportJob } from '../../../logpush/index.ts'
import type { LogpushJob, Scope } from '../../../model/resource.ts'
import type { Store } from '../../../store/index.ts'

/** Prints one line per job: first the jobs of accounts, then of zones. */
export async function listJobs(backends: JobBackends): Promise<void> {
  const nowMs = Date.now()
  let jobs = 0
  for (const { scope, name } of await scopesOf(backends.store)) {
    for (const job of await backends.store.jobs.list(scope)) {
      // The list shows no counts, so the range is empty.
      const report = await reportJob(backends, job, '9999-12-31T23:00:00Z')
      const whose = `${scope.kind} ${name}`
      const where = maskedDestination(job.destinationConf)
      console.log(`${job.id}  ${whose}  ${job.dataset}  ${where}  ${stateText(job, report, nowMs)}`)
      jobs++
    }
  }
  if (jobs === 0) console.error('There are no Logpush jobs.')
}

async function scopesOf(store: Store): Promise<readonly { readonly scope: Scope; readonly name: string }[]> {
  const accounts = await store.accounts.list()
  const zones = await store.zones.list()
  return [
    ...accounts.map(({ id }) => ({ scope: { kind: 'account' as const, id }, name: id })),
    ...zones.map(({ id, name }) => ({ scope: { kind: 'zone' as const, id }, name })),
  ]
}

/** Such as `retrying, 3 minutes behind: the bucket does not exist`. */
export function stateText(
  job: Pick<LogpushJob, 'errorMessage'>,
  { state, oldestUndelivered }: Pick<JobReport, 'state' | 'oldestUndelivered'>,
  nowMs: number,
): string {
  if (state === 'disabled') return state
  const behind =
    oldestUndelivered === null
      ? 'up to date'
      : `${durationText(Math.max(0, nowMs - Date.parse(oldestUndelivered)))} behind`
  const why = state === 'running' || job.errorMessage === null ? '' : `: ${job.errorMessage}`
  return `${state}, ${behind}${why}`
}

const units = [
  ['day', 24 * 60 * 60 * 1000],
  ['hour', 60 * 60 * 1000],
  ['minute', 60 * 1000],
] as const

/** In the largest unit of which there are at least two. */
function durationText(ms: number): string {
  for (const [name, unitMs] of units) if (ms >= 2 * unitMs) return `${Math.floor(ms / unitMs)} ${name}s`
  const seconds = Math.floor(ms / 1000)
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}
