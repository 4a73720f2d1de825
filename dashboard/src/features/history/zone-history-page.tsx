import { useZoneId } from '../../domain/zone/use-zone-id.ts'
import { HistoryPage } from './history-page.tsx'

export default function ZoneHistoryPage() {
  return <HistoryPage scope={{ kind: 'zone', id: useZoneId() }} />
}
