import { isPermission } from '../../api/failure.ts'
import { useRead } from '../../api/hooks.ts'
import { Figure } from '../../ui/figure.tsx'
import { mitigatedText, shareText } from '../../ui/share-text.ts'

/** Requests of a zone in the last day, and how many of them were acted on. */
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
        note={data === undefined ? '…' : `${faults.toLocaleString()} answered with a server error (5xx)`}
      />
      <Figure
        label="Mitigated in 24 h"
        value={data === undefined ? undefined : shareText(data)}
        note={data === undefined ? '…' : mitigatedText(data)}
      />
    </>
  )
}
