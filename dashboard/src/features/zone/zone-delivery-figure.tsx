import { isPermission } from '../../api/failure.ts'
import { useRead } from '../../api/hooks.ts'
import { jobState } from '../../domain/logs/job-state.ts'
import { Figure } from '../../ui/page/figure.tsx'

/** Health of the zone's Logpush jobs: the worst first. */
export function ZoneDeliveryFigure({ zoneId }: { readonly zoneId: string }) {
  const path = { zone_id: zoneId }
  const { data, error } = useRead('GET /zones/{zone_id}/logpush/jobs', { path }, { everyMs: 30_000 })
  const label = 'Log delivery'
  if (error)
    return <Figure label={label} value="–" note={isPermission(error) ? 'Needs Logs Read' : error.message} />
  if (data === undefined) return <Figure label={label} value={undefined} />
  if (data.length === 0)
    return (
      <Figure label={label} value="No jobs" note="Logpush delivers records to S3 and other destinations" />
    )
  const failing = data.filter(job => jobState(job) === 'failing')
  if (failing[0] !== undefined)
    return (
      <Figure
        label={label}
        value={`${failing.length} of ${data.length} failing`}
        tone="bad"
        note={failing[0].error_message}
      />
    )
  const on = data.filter(job => job.enabled).length
  if (on === 0) return <Figure label={label} value="Paused" note={`${data.length} jobs, all paused`} />
  return <Figure label={label} value="Delivering" tone="good" note={`${on} of ${data.length} jobs enabled`} />
}
