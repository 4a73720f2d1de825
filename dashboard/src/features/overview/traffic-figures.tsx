import { isPermission } from '../../api/failure.ts'
import { useRead, useSession } from '../../api/hooks.ts'
import { mitigatedText, shareText } from '../../domain/zone/share-text.ts'
import { Figure } from '../../ui/page/figure.tsx'

/** Shared input, so that all readers share one query. */
export const trafficKey = 'GET /accounts/{account_id}/security/overview'

export function trafficInput(accountId: string) {
  return { path: { account_id: accountId }, query: { limit: 1 } }
}

/** Requests of all zones in a day, and the mitigated share. */
export function TrafficFigures() {
  const input = trafficInput(useSession().accountId)
  const { data, error } = useRead(trafficKey, input, { everyMs: 30_000 })
  if (error) {
    const note = isPermission(error) ? 'Needs Logs Read on the account' : error.message
    return (
      <>
        <Figure label="Requests in 24 h" value="–" note={note} />
        <Figure label="Mitigated in 24 h" value="–" note={note} />
      </>
    )
  }
  const { day, hour, zones_total: busy } = data ?? {}
  return (
    <>
      <Figure
        label="Requests in 24 h"
        value={day?.requests.toLocaleString()}
        note={
          hour === undefined
            ? '…'
            : `${hour.requests.toLocaleString()} in the last hour; ${busy} ${busy === 1 ? 'zone has' : 'zones have'} traffic`
        }
      />
      <Figure
        label="Mitigated in 24 h"
        value={day === undefined ? undefined : shareText(day)}
        note={day === undefined ? '…' : mitigatedText(day)}
      />
    </>
  )
}
