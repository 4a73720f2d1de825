import { ActionIcon, Menu, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { useSession } from '../../api/hooks.ts'
import { useMay } from '../../api/permissions.ts'
import type { Member } from '../../api/types.ts'
import { ConfirmDialog } from '../../ui/controls/confirm-dialog.tsx'
import { useChange } from '../../ui/controls/use-change.ts'
import { useFocusBack } from '../../ui/controls/use-focus-back.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { KeyIcon, RollIcon, TrashIcon } from '../../ui/display/icons.tsx'
import type { Invited } from './invited.ts'
import { RoleField } from './role-field.tsx'

interface Props {
  readonly member: Member
  onInvited(invited: Invited): void
}

type Action = 'role' | 'invite' | 'remove'

/** Menu: change the role, make a new invitation, remove. */
export function MemberActions({ member, onInvited }: Props) {
  const [action, setAction] = useState<Action>()
  const { may, reason } = useMay('account write')
  const { target, focusBack } = useFocusBack()
  const close = () => {
    setAction(undefined)
    focusBack()
  }
  return (
    <>
      {/* Inside the main landmark, and not clipped by the table. */}
      <Menu position="bottom-end" portalProps={{ target: '#content' }} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon ref={target} variant="default" size="lg" aria-label={`Actions of ${member.email}`}>
            …
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<KeyIcon size={16} />} onClick={() => setAction('role')} disabled={!may}>
            Change role…
          </Menu.Item>
          <Menu.Item leftSection={<RollIcon size={16} />} onClick={() => setAction('invite')} disabled={!may}>
            New invitation…
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<TrashIcon size={16} />}
            onClick={() => setAction('remove')}
            disabled={!may}
          >
            Remove…
          </Menu.Item>
          {reason === undefined ? null : (
            <Menu.Label maw={240} style={{ whiteSpace: 'normal' }}>
              {reason}
            </Menu.Label>
          )}
        </Menu.Dropdown>
      </Menu>
      <RoleDialog member={member} opened={action === 'role'} onClose={close} />
      <InviteDialog member={member} opened={action === 'invite'} onClose={close} onInvited={onInvited} />
      <RemoveDialog member={member} opened={action === 'remove'} onClose={close} />
    </>
  )
}

interface DialogProps {
  readonly member: Member
  readonly opened: boolean
  onClose(): void
}

const changes = ['GET /accounts/{account_id}/members'] as const

function RoleDialog({ member, opened, onClose }: DialogProps) {
  const { accountId } = useSession()
  const [role, setRole] = useState(member.roles[0]?.id ?? '')
  const key = 'PUT /accounts/{account_id}/members/{member_id}'
  const input = { path: { account_id: accountId, member_id: member.id }, body: { roles: [{ id: role }] } }
  const change = useChange(key, {
    done: `Role of ${member.email} changed`,
    failed: `Failed to change the role of ${member.email}`,
    changes,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={opened}
      title={`Role of ${member.email}`}
      action="Change role"
      pending={change.isPending}
      onConfirm={() => change.mutate(input)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <RoleField value={role} onChange={setRole} />
        <ApiCall call={describeCall(key, input)} />
      </Stack>
    </ConfirmDialog>
  )
}

function InviteDialog({ member, opened, onClose, onInvited }: DialogProps & Pick<Props, 'onInvited'>) {
  const { accountId } = useSession()
  const key = 'POST /accounts/{account_id}/members/{member_id}/invitation'
  const input = { path: { account_id: accountId, member_id: member.id } }
  const invite = useChange(key, {
    done: 'Invitation made',
    failed: `Failed to invite ${member.email}`,
    onDone: invitation => {
      onClose()
      onInvited({ email: member.email, invitation })
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      title={`New invitation for ${member.email}?`}
      action="Make invitation"
      pending={invite.isPending}
      onConfirm={() => invite.mutate(input)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          For a user who has lost the password or the authenticator app. The invitation sets a new password,
          ends two-factor authentication, and signs the user out elsewhere. Until then, the present password
          works.
        </Text>
        <ApiCall call={describeCall(key, input)} />
      </Stack>
    </ConfirmDialog>
  )
}

function RemoveDialog({ member, opened, onClose }: DialogProps) {
  const { accountId } = useSession()
  const key = 'DELETE /accounts/{account_id}/members/{member_id}'
  const input = { path: { account_id: accountId, member_id: member.id } }
  const remove = useChange(key, {
    done: `${member.email} removed`,
    failed: `Failed to remove ${member.email}`,
    changes,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={opened}
      title={`Remove ${member.email}?`}
      action="Remove member"
      danger
      pending={remove.isPending}
      onConfirm={() => remove.mutate(input)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          The user is signed out at once. A user of no other account is deleted, with their API tokens; tokens
          of the account stay.
        </Text>
        <ApiCall call={describeCall(key, input)} />
      </Stack>
    </ConfirmDialog>
  )
}
