import { Button, Skeleton, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useSession } from '../../api/hooks.ts'
import type { Member } from '../../api/types.ts'
import { usePages } from '../../api/use-pages.ts'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { type Column, DataTable } from '../../ui/display/data-table.tsx'
import { PlusIcon } from '../../ui/display/icons.tsx'
import { StatusDot } from '../../ui/display/status-dot.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { FailureState } from '../../ui/page/states.tsx'
import { AddMember } from './add-member.tsx'
import { InvitationDialog } from './invitation-dialog.tsx'
import type { Invited } from './invited.ts'
import { MemberActions } from './member-actions.tsx'

/** The users of the account and their roles. */
export default function MembersPage() {
  const { accountId } = useSession()
  const input = { path: { account_id: accountId }, query: { order: 'user.email' } } as const
  const members = usePages('GET /accounts/{account_id}/members', input, { perPage: 50 })
  const [adding, setAdding] = useState(false)
  const [invited, setInvited] = useState<Invited>()
  const columns = useMemo(() => columnsOf(setInvited), [])
  return (
    <>
      <PageHeader
        title="Members"
        text="Users who can sign in, and their roles. Programs use API tokens."
        actions={
          <Permitted needs="account write">
            {barred => (
              <Button leftSection={<PlusIcon size={16} />} onClick={() => setAdding(true)} {...barred}>
                Add member
              </Button>
            )}
          </Permitted>
        }
      />
      {members.isError ? (
        <FailureState title="Failed to load members" error={members.error} />
      ) : (
        <DataTable
          label="Members"
          columns={columns}
          rows={members.rows}
          rowKey={member => member.id}
          rowHeight={60}
          {...(members.total === undefined ? {} : { total: members.total })}
          onNearEnd={members.onNearEnd}
          empty={<Skeleton h={120} m="md" />}
        />
      )}
      <AddMember opened={adding} onClose={() => setAdding(false)} onInvited={setInvited} />
      <InvitationDialog invited={invited} onClose={() => setInvited(undefined)} />
    </>
  )
}

function columnsOf(onInvited: (invited: Invited) => void): readonly Column<Member>[] {
  return [
    {
      key: 'email',
      title: 'User',
      width: 'minmax(0, 2fr)',
      render: ({ email, roles }) => (
        <div>
          <Text inherit fw={550} className="cut">
            {email}
          </Text>
          <Text size="xs" c="dimmed" className="cut">
            {roles.map(({ name }) => name).join(', ')}
          </Text>
        </div>
      ),
    },
    {
      key: 'factor',
      title: 'Two-factor authentication',
      width: 'minmax(0, 1fr)',
      minWindow: 992,
      render: ({ user }) => (user.two_factor_authentication_enabled ? 'On' : 'Off'),
    },
    {
      key: 'status',
      title: 'Status',
      width: '110px',
      minWindow: 576,
      render: ({ status }) => (
        <StatusDot tone={status === 'accepted' ? 'good' : 'none'}>
          {status === 'accepted' ? 'Active' : 'Invited'}
        </StatusDot>
      ),
    },
    {
      key: 'actions',
      title: 'Actions',
      titleHidden: true,
      width: '44px',
      render: member => <MemberActions member={member} onInvited={onInvited} />,
    },
  ]
}
