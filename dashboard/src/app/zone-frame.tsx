import { Outlet } from '@tanstack/react-router'
import { useRead } from '../api/hooks.ts'
import { FailureState } from '../ui/states.tsx'
import { useZoneId } from '../ui/use-zone-id.ts'
import { PageLoading } from './page-states.tsx'

/** Pages of a zone are shown when there is such a zone. */
export default function ZoneFrame() {
  const zone = useRead('GET /zones/{zone_id}', { path: { zone_id: useZoneId() } })
  if (zone.isPending) return <PageLoading />
  if (zone.isError) return <FailureState title="This zone cannot be shown" error={zone.error} />
  return <Outlet />
}
