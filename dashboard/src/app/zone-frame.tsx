import { Outlet } from '@tanstack/react-router'
import { useRead } from '../api/hooks.ts'
import { useZoneId } from '../domain/zone/use-zone-id.ts'
import { PageLoading } from '../ui/page/page-loading.tsx'
import { FailureState } from '../ui/page/states.tsx'

/** Shows the pages of a zone once the zone is loaded. */
export default function ZoneFrame() {
  const zone = useRead('GET /zones/{zone_id}', { path: { zone_id: useZoneId() } })
  if (zone.isPending) return <PageLoading />
  if (zone.isError) return <FailureState title="Failed to load zone" error={zone.error} />
  return <Outlet />
}
