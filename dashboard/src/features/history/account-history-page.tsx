import { useSession } from '../../api/hooks.ts'
import { HistoryPage } from './history-page.tsx'

export default function AccountHistoryPage() {
  return <HistoryPage scope={{ kind: 'account', id: useSession().accountId }} />
}
