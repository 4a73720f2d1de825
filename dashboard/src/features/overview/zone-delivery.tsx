import { Text } from '@mantine/core'
import { isPermission } from '../../api/failure.ts'
import { useRead } from '../../api/hooks.ts'
import { jobState } from '../../api/jobs.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'

/** How the jobs of one zone are doing; asked only for zones in sight. */
export function ZoneDelivery({ zoneId }: { readonly zoneId: string }) {
  const path = { zone_id: zoneId }
  const { data, error } = useRead('GET /zones/{zone_id}/logpush/jobs', { path }, { staleMs: 60_000 })
  if (error) return <Faint>{isPermission(error) ? 'needs Logs Read' : 'not known'}</Faint>
  if (data === undefined) return <Faint>…</Faint>
  if (data.length === 0) return <Faint>no jobs</Faint>
  const failing = data.find(job => jobState(job) === 'failing')
  if (failing !== undefined)
    return (
      <Tooltip label={failing.error_message ?? 'The last delivery failed'}>
        <span>
          <StatusDot tone="bad">{`${failing.name || `job ${failing.id}`} fails`}</StatusDot>
        </span>
      </Tooltip>
    )
  const on = data.filter(job => job.enabled).length
  if (on === 0) return <StatusDot tone="none">off</StatusDot>
  return <StatusDot tone="good">{`${on} ${on === 1 ? 'job' : 'jobs'}`}</StatusDot>
}

function Faint({ children }: { readonly children: string }) {
  return (
    <Text span inherit c="dimmed">
      {children}
    </Text>
  )
}
