import { Text } from '@mantine/core'
import { isPermission } from '../../api/failure.ts'
import { useRead } from '../../api/hooks.ts'
import { jobState } from '../../domain/logs/job-state.ts'
import { Tooltip } from '../../ui/controls/tooltip.tsx'
import { StatusDot } from '../../ui/display/status-dot.tsx'

/** Logpush health of one zone; loaded for visible zones only. */
export function ZoneDelivery({ zoneId }: { readonly zoneId: string }) {
  const path = { zone_id: zoneId }
  const { data, error } = useRead('GET /zones/{zone_id}/logpush/jobs', { path }, { staleMs: 60_000 })
  if (error) return <Faint>{isPermission(error) ? 'needs Logs Read' : 'unknown'}</Faint>
  if (data === undefined) return <Faint>…</Faint>
  if (data.length === 0) return <Faint>no jobs</Faint>
  const failing = data.find(job => jobState(job) === 'failing')
  if (failing !== undefined)
    return (
      <Tooltip label={failing.error_message ?? 'The last delivery failed'}>
        <span>
          <StatusDot tone="bad">{`${failing.name || `job ${failing.id}`} failing`}</StatusDot>
        </span>
      </Tooltip>
    )
  const on = data.filter(job => job.enabled).length
  if (on === 0) return <StatusDot tone="none">paused</StatusDot>
  return <StatusDot tone="good">{`${on} ${on === 1 ? 'job' : 'jobs'}`}</StatusDot>
}

function Faint({ children }: { readonly children: string }) {
  return (
    <Text span inherit c="dimmed">
      {children}
    </Text>
  )
}
