import { Radio, Stack } from '@mantine/core'
import { useRead, useSession } from '../../api/hooks.ts'

interface Props {
  readonly value: string
  onChange(roleId: string): void
}

/** One of the roles of the account. */
export function RoleField({ value, onChange }: Props) {
  const { accountId } = useSession()
  const roles = useRead('GET /accounts/{account_id}/roles', { path: { account_id: accountId } })
  return (
    <Radio.Group label="Role" value={value} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        {(roles.data ?? []).map(role => (
          <Radio key={role.id} value={role.id} label={role.name} description={role.description} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
