import { useZoneId } from '../../domain/zone/use-zone-id.ts'
import { HistoryView } from './history-view.tsx'

export default function ZoneHistoryPage() {
  return <HistoryView scope={{ kind: 'zone', id: useZoneId() }} />
}
