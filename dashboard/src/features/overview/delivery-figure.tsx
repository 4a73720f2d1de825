import { useQueries } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { isPermission } from '../../api/failure.ts'
import { keyOf, useRead, useSession } from '../../api/hooks.ts'
import { jobState } from '../../api/jobs.ts'
import { Figure } from '../../ui/figure.tsx'

const healthKey = 'GET /accounts/{account_id}/logpush/jobs/{job_id}/health'
/** Asked for their health; the list of zones has the jobs of zones. */
const askedMax = 20

/** How the jobs of the account are doing: the worst of them, and how far behind. */
export function DeliveryFigure() {
  const account_id = useSession().accountId
  const label = 'Log delivery, account'
  const jobs = useRead(
    'GET /accounts/{account_id}/logpush/jobs',
    { path: { account_id } },
    { everyMs: 30_000 },
  )
  const asked = (jobs.data ?? []).filter(job => job.enabled).slice(0, askedMax)
  const healths = useQueries({
    queries: asked.map(job => {
      const input = { path: { account_id, job_id: job.id } }
      return {
        queryKey: keyOf(healthKey, input),
        queryFn: () => call(healthKey, input),
        refetchInterval: 30_000,
      }
    }),
  })
  if (jobs.isError)
    return (
      <Figure
        label={label}
        value="–"
        note={isPermission(jobs.error) ? 'Needs Logs Read on the account' : jobs.error.message}
      />
    )
  if (jobs.data === undefined) return <Figure label={label} value={undefined} />
  const total = jobs.data.length
  if (total === 0)
    return <Figure label={label} value="No jobs" note="Jobs of single zones are in the list below" />
  const failing = jobs.data.filter(job => jobState(job) === 'failing')
  if (failing[0] !== undefined)
    return (
      <Figure
        label={label}
        value={`${failing.length} of ${total} failing`}
        tone="bad"
        note={failing[0].error_message}
      />
    )
  const lag = Math.max(0, ...healths.map(health => health.data?.lag_seconds ?? 0))
  const lines = healths.reduce((sum, health) => sum + (health.data?.totals.successful.lines ?? 0), 0)
  return (
    <Figure
      label={label}
      value={asked.length === 0 ? 'Off' : 'Delivering'}
      {...(asked.length === 0 ? {} : { tone: 'good' as const })}
      note={`${asked.length} of ${total} on; ${lines.toLocaleString()} lines in 24 h; at most ${lag} s behind`}
    />
  )
}
