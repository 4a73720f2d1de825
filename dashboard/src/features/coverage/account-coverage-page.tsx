import { useRead, useSession } from '../../api/hooks.ts'
import { CoverageView } from './coverage-view.tsx'

export default function AccountCoveragePage() {
  const { accountId } = useSession()
  const coverage = useRead('GET /accounts/{account_id}/coverage', { path: { account_id: accountId } })
  return <CoverageView coverage={coverage} owner="account" />
}
