import { NativeSelect } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useRead, useSession } from '../api/hooks.ts'
import { chooseAccount } from '../api/user-session.ts'

/** Switches accounts, for users of several. Tokens of an account have only theirs. */
export function AccountPicker() {
  const { accountId, owner } = useSession()
  const accounts = useRead('GET /accounts', { query: { per_page: 50 } }, { enabled: owner === 'user' })
  const navigate = useNavigate()
  const known = accounts.data ?? []
  if (known.length < 2) return null
  return (
    <NativeSelect
      aria-label="Account"
      data={known.map(({ id, name }) => ({ value: id, label: name }))}
      value={accountId}
      onChange={({ currentTarget }) => {
        const account = known.find(({ id }) => id === currentTarget.value)
        if (account === undefined) return
        chooseAccount(account)
        void navigate({ to: '/' })
      }}
    />
  )
}
