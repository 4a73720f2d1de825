import { useRead, useSession } from '../../api/hooks.ts'
import { CoveragePage } from './coverage-page.tsx'

export default function AccountCoveragePage() {
  const { accountId } = useSession()
  const coverage = useRead('GET /accounts/{account_id}/coverage', { path: { account_id: accountId } })
  return <CoveragePage coverage={coverage} owner="account" />
}
