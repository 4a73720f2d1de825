import { isPermission } from '../../api/failure.ts'
import { useRead } from '../../api/hooks.ts'
import { mitigatedText, shareText } from '../../domain/zone/share-text.ts'
import { Figure } from '../../ui/page/figure.tsx'

/** Requests of a zone in the last day, and the mitigated share. */
export function ZoneTrafficFigures({ zoneId }: { readonly zoneId: string }) {
  const path = { zone_id: zoneId }
  const { data, error } = useRead('GET /zones/{zone_id}/security/overview', { path }, { everyMs: 15_000 })
  if (error) {
    const note = isPermission(error) ? 'Needs Logs Read' : error.message
    return (
      <>
        <Figure label="Requests in 24 h" value="–" note={note} />
        <Figure label="Mitigated in 24 h" value="–" note={note} />
      </>
    )
  }
  const faults = data?.statuses['5xx'] ?? 0
  return (
    <>
      <Figure
        label="Requests in 24 h"
        value={data?.requests.toLocaleString()}
        note={data === undefined ? '…' : `${faults.toLocaleString()} with a 5xx response`}
      />
      <Figure
        label="Mitigated in 24 h"
        value={data === undefined ? undefined : shareText(data)}
        note={data === undefined ? '…' : mitigatedText(data)}
      />
    </>
  )
}
