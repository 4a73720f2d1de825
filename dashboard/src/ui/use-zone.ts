import { useRead } from '../api/hooks.ts'
import type { Zone } from '../api/types.ts'
import { useZoneId } from './use-zone-id.ts'

/** The zone that the address names; there before any page of a zone is shown. */
export function useZone(): Zone {
  const { data } = useRead('GET /zones/{zone_id}', { path: { zone_id: useZoneId() } })
  if (data === undefined) throw new Error('the zone is not read yet')
  return data
}
