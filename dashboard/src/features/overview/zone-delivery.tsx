import { Text } from '@mantine/core'
import { isPermission } from '../../api/failure.ts'
import { useRead } from '../../api/hooks.ts'
import { deliveryOf, shortDeliveryOf } from '../../domain/logs/delivery.ts'
import { Tooltip } from '../../ui/controls/tooltip.tsx'
import { StatusDot } from '../../ui/display/status-dot.tsx'
import { TextLink } from '../../ui/page/links.tsx'

/** Logpush health of one zone; loaded for visible zones only. */
export function ZoneDelivery({ zoneId }: { readonly zoneId: string }) {
  const path = { zone_id: zoneId }
  const { data, error } = useRead('GET /zones/{zone_id}/logpush/overview', { path }, { everyMs: 15_000 })
  if (error) return <Faint>{isPermission(error) ? 'Needs Logs Read' : 'Unknown'}</Faint>
  if (data === undefined) return <Faint>…</Faint>
  if (data.jobs === 0) return <Faint>No jobs</Faint>
  const [worst] = data.worst
  const only = data.jobs === 1 && worst !== undefined ? `/${worst.job_id}` : ''
  const link = (
    <TextLink to={`/zones/${zoneId}/logpush${only}`} c="inherit" inherit tabIndex={-1}>
      <StatusDot tone={deliveryOf(data).tone}>{shortDeliveryOf(data)}</StatusDot>
    </TextLink>
  )
  if (worst === undefined) return link
  return (
    <Tooltip label={worst.error_message ?? `The oldest record waits ${worst.lag_seconds} s`}>{link}</Tooltip>
  )
}

function Faint({ children }: { readonly children: string }) {
  return (
    <Text span inherit c="dimmed">
      {children}
    </Text>
  )
}
