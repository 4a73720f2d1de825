import { useRead } from '../../api/hooks.ts'
import { DeliveryFigure } from '../../domain/logs/delivery-figure.tsx'
import { TextLink } from '../../ui/page/links.tsx'

/** Health of the zone's Logpush jobs. */
export function ZoneDeliveryFigure({ zoneId }: { readonly zoneId: string }) {
  const path = { zone_id: zoneId }
  const { data, error } = useRead('GET /zones/{zone_id}/logpush/overview', { path }, { everyMs: 15_000 })
  return (
    <DeliveryFigure
      overview={data}
      error={error}
      permission="Needs Logs Read"
      none={<TextLink to={`/zones/${zoneId}/logpush`}>Create a Logpush job</TextLink>}
    />
  )
}
