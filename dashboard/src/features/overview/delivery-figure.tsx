import { isPermission } from '../../api/failure.ts'
import { useRead, useSession } from '../../api/hooks.ts'
import type { LogpushOverview } from '../../api/types.ts'
import { Figure } from '../../ui/page/figure.tsx'
import { TextLink } from '../../ui/page/links.tsx'

/** Health of all Logpush jobs of the account and its zones: the worst first, by name. */
export function DeliveryFigure() {
  const path = { account_id: useSession().accountId }
  const { data, error } = useRead(
    'GET /accounts/{account_id}/logpush/overview',
    { path },
    { everyMs: 15_000 },
  )
  const label = 'Log delivery'
  if (error)
    return (
      <Figure
        label={label}
        value="–"
        note={isPermission(error) ? 'Needs Logs Read on the account' : error.message}
      />
    )
  if (data === undefined) return <Figure label={label} value={undefined} />
  if (data.jobs === 0)
    return (
      <Figure
        label={label}
        value="No jobs"
        note={<TextLink to="/logpush">Create one for all zones</TextLink>}
      />
    )
  return <Figure label={label} {...verdictOf(data)} note={<Note overview={data} />} />
}

function verdictOf({ enabled, stopped, retrying, behind }: LogpushOverview) {
  const failing = stopped + retrying
  if (failing > 0) return { value: `${failing} of ${enabled} failing`, tone: 'bad' as const }
  if (behind > 0) return { value: `${behind} of ${enabled} catching up`, tone: 'warn' as const }
  if (enabled === 0) return { value: 'Paused' }
  return { value: 'Delivering', tone: 'good' as const }
}

function Note({ overview: { worst, jobs, enabled, lines, lag_seconds_max } }: { overview: LogpushOverview }) {
  const [first] = worst
  if (first === undefined)
    return `${enabled} of ${jobs} jobs enabled; ${lines.toLocaleString()} lines in 24 h; maximum lag ${lag_seconds_max} s`
  const others = worst.length - 1
  return (
    <>
      {worst.slice(0, shownMax).map((job, at) => (
        <span key={job.job_id}>
          {at === 0 ? '' : ', '}
          <WorstJob job={job} />
        </span>
      ))}
      {others >= shownMax ? ` and ${others - shownMax + 1} more` : ''}
      {first.error_message === null ? '' : `: ${first.error_message}`}
    </>
  )
}

const shownMax = 3

function WorstJob({ job: { job_id, name, zone, state } }: { job: LogpushOverview['worst'][number] }) {
  const path = zone === null ? '/logpush' : `/zones/${zone.id}/logpush`
  const whose = zone === null ? '' : ` (${zone.name})`
  return (
    <>
      <TextLink to={`${path}/${job_id}`} inherit underline="always">
        {`${name || `job ${job_id}`}${whose}`}
      </TextLink>
      {state === 'paused' ? ' stopped' : state === 'retrying' ? ' retrying' : ' lagging'}
    </>
  )
}
