import { useSession } from '../../api/hooks.ts'
import { HistoryView } from './history-view.tsx'

export default function AccountHistoryPage() {
  return <HistoryView scope={{ kind: 'account', id: useSession().accountId }} />
}
