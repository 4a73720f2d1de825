import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { useSession } from '../../api/hooks.ts'
import { useChange } from '../../ui/controls/use-change.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import type { Invited } from './invited.ts'
import { RoleField } from './role-field.tsx'

interface Props {
  readonly opened: boolean
  onClose(): void
  onInvited(invited: Invited): void
}

export function AddMember({ opened, onClose, onInvited }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Add a member">
      <AddForm onClose={onClose} onInvited={onInvited} />
    </Modal>
  )
}

/** A closed dialog renders nothing, so that each opening begins with an empty form. */
function AddForm({ onClose, onInvited }: Omit<Props, 'opened'>) {
  const { accountId } = useSession()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState('')
  const key = 'POST /accounts/{account_id}/members'
  const input = { path: { account_id: accountId }, body: { email: email.trim(), roles: [role] } }
  const add = useChange(key, {
    done: ({ email: added }) => `${added} added`,
    failed: 'Failed to add the member',
    changes: ['GET /accounts/{account_id}/members'],
    onDone: member => {
      onClose()
      if (member.invitation !== undefined) onInvited({ email: member.email, invitation: member.invitation })
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate(input)
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          label="E-mail"
          type="email"
          data-autofocus
          required
          withAsterisk={false}
          value={email}
          onChange={event => setEmail(event.currentTarget.value)}
        />
        <RoleField value={role} onChange={setRole} />
        {role === '' ? null : <ApiCall call={describeCall(key, input)} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending} disabled={email.trim() === '' || role === ''}>
            Add member
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
