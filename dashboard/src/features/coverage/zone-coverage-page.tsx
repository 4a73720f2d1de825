import { useRead } from '../../api/hooks.ts'
import { useZoneId } from '../../domain/zone/use-zone-id.ts'
import { CoverageView } from './coverage-view.tsx'

export default function ZoneCoveragePage() {
  const coverage = useRead('GET /zones/{zone_id}/coverage', { path: { zone_id: useZoneId() } })
  return <CoverageView coverage={coverage} owner="zone" />
}
