import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Operations } from '../../api/types.ts'
import { type TimeRange, useTimeRange } from '../../ui/address/time-range.tsx'
import { useUrlState } from '../../ui/address/use-url-state.ts'

type Query = NonNullable<Operations['GET /accounts/{account_id}/audit_logs']['query']>

export const fallbackRange = '30d'

/** The filters of the audit trail; all of them are in the address. */
export function useAuditFilters() {
  const [actor, setActor] = useUrlState('actor')
  const [action, setAction] = useUrlState('action')
  const [resource, setResource] = useUrlState('resource')
  const [zone, setZone] = useUrlState('zone')
  const navigate = useNavigate()
  const range = useSteadyRange(useTimeRange(fallbackRange))
  const query: Query = {
    since: range.since,
    // A range that ends now stays open, so that the next refetch includes new changes.
    ...(range.preset === undefined ? { before: range.until } : {}),
    ...actorFilter(actor.trim()),
    ...(action === '' ? {} : { 'action.type': action }),
    ...(resource === '' ? {} : { 'resource.type': resource }),
    ...(zone === '' ? {} : { 'zone.name': zone }),
  }
  return {
    actor,
    setActor,
    action,
    setAction,
    resource,
    setResource,
    zone,
    setZone,
    query,
    /** Clears all filters; the time range stays. */
    clear: () => void navigate({ to: '.', search: withoutFilters as never, replace: true }),
    isFiltered: [actor, action, resource, zone].some(text => text !== ''),
  }
}

function withoutFilters(before: object): object {
  return { ...before, actor: undefined, action: undefined, resource: undefined, zone: undefined }
}

/** An email address, the id of a token or user, or an IP address. */
export function actorFilter(actor: string): Query {
  if (actor === '') return {}
  if (/^[0-9a-f]{32}$/.test(actor)) return { 'actor.id': actor }
  return actor.includes('@') ? { 'actor.email': actor } : { 'actor.ip': actor }
}

/** Rounds a range that ends now; otherwise the list would restart every minute. */
function useSteadyRange(range: TimeRange): TimeRange {
  const kept = useRef(range)
  const { preset, since, until } = kept.current
  const isSame =
    range.preset === preset && (preset !== undefined || (range.since === since && range.until === until))
  if (!isSame) kept.current = range
  return kept.current
}
