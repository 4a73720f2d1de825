import { useRead } from '../../api/hooks.ts'
import type { Zone } from '../../api/types.ts'
import { useZoneId } from './use-zone-id.ts'

/** The current zone; loaded before any page of the zone is shown. */
export function useZone(): Zone {
  const { data } = useRead('GET /zones/{zone_id}', { path: { zone_id: useZoneId() } })
  if (data === undefined) throw new Error('the zone is not loaded yet')
  return data
}
