import { SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { isPermission } from '../../api/failure.ts'
import type { Token } from '../../api/types.ts'
import { usePages } from '../../api/use-pages.ts'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { type Column, DataTable } from '../../ui/display/data-table.tsx'
import { PlusIcon } from '../../ui/display/icons.tsx'
import { momentText } from '../../ui/display/local-time.ts'
import { StatusDot } from '../../ui/display/status-dot.tsx'
import { LinkButton } from '../../ui/page/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { EmptyState, FailureState } from '../../ui/page/states.tsx'
import { at, type TokenScope, useOwnTokenId, useTokenScope } from './scope.ts'
import { TokenActions } from './token-actions.tsx'
import { TokenDrawer } from './token-drawer.tsx'
import { permissionSummary, resourceSummary, stateWords } from './words.ts'

/** Tokens of the user or the account. */
export default function TokensPage() {
  const [scope, setKind] = useTokenScope()
  return (
    <>
      <PageHeader
        title="API tokens"
        text="Create a token per client with only the permissions it needs. Its value is shown only once."
        actions={<NewToken scope={scope} />}
      />
      <Stack gap="md">
        <SegmentedControl
          aria-label="Token owner"
          w="fit-content"
          data={[
            { value: 'user', label: 'User tokens' },
            { value: 'account', label: 'Account tokens' },
          ]}
          value={scope.kind}
          onChange={setKind}
        />
        <Text size="sm" c="dimmed">
          {scope.kind === 'user'
            ? 'User tokens act for your user.'
            : 'Account tokens belong to the account, outlive their creator, and reach only the account and its zones.'}
        </Text>
        <TokenList key={scope.kind} scope={scope} />
      </Stack>
    </>
  )
}

function NewToken({ scope }: { readonly scope: TokenScope }) {
  return (
    <Permitted needs={scope.write}>
      {barred => (
        <LinkButton
          to="/tokens/new"
          search={{ of: scope.kind }}
          leftSection={<PlusIcon size={16} />}
          {...barred}
        >
          Create token
        </LinkButton>
      )}
    </Permitted>
  )
}

function TokenList({ scope }: { readonly scope: TokenScope }) {
  const key = at(scope, 'GET /accounts/{account_id}/tokens')
  const input = { path: { account_id: scope.accountId }, query: { include_expired: true } }
  const tokens = usePages(key, input, { perPage: 50 })
  const ownId = useOwnTokenId()
  const [openedId, setOpenedId] = useState<string>()
  const opened = tokens.rows.find(({ id }) => id === openedId)
  const columns = useMemo(() => columnsOf(scope, ownId), [scope, ownId])
  if (tokens.isError)
    return (
      <FailureState
        title={
          isPermission(tokens.error) ? `No permission to view ${scope.kind} tokens` : 'Failed to load tokens'
        }
        error={tokens.error}
      />
    )
  return (
    <>
      <DataTable
        label="API tokens"
        columns={columns}
        rows={tokens.rows}
        rowKey={token => token.id}
        rowHeight={60}
        {...(tokens.total === undefined ? {} : { total: tokens.total })}
        onNearEnd={tokens.onNearEnd}
        onOpen={token => setOpenedId(token.id)}
        empty={
          tokens.isPending ? (
            <Skeleton h={120} m="md" />
          ) : (
            <EmptyState
              title="No tokens yet"
              text={`The ${scope.kind} has no API tokens.`}
              action={<NewToken scope={scope} />}
            />
          )
        }
      />
      <TokenDrawer token={opened} isOwn={opened?.id === ownId} onClose={() => setOpenedId(undefined)} />
    </>
  )
}

function columnsOf(scope: TokenScope, ownId: string | undefined): readonly Column<Token>[] {
  return [
    {
      key: 'name',
      title: 'Token',
      width: 'minmax(0, 2fr)',
      render: token => (
        <div>
          <Text inherit fw={550} className="cut">
            {token.name}
          </Text>
          <Text size="xs" c="dimmed" className="cut">
            {token.id === ownId ? 'your current token' : `created ${dayText(token.issued_on)}`}
          </Text>
        </div>
      ),
    },
    {
      key: 'permissions',
      title: 'Permissions',
      width: 'minmax(0, 2fr)',
      minWindow: 768,
      render: token => (
        <div>
          <div className="cut">{permissionSummary(token)}</div>
          <Text size="xs" c="dimmed" className="cut">
            {resourceSummary(token)}
          </Text>
        </div>
      ),
    },
    {
      key: 'status',
      title: 'Status',
      width: '92px',
      render: ({ status }) => <StatusDot tone={stateWords[status].tone}>{stateWords[status].word}</StatusDot>,
    },
    ...times,
    {
      key: 'actions',
      title: 'Actions',
      titleHidden: true,
      width: '44px',
      render: token => <TokenActions scope={scope} token={token} isOwn={token.id === ownId} />,
    },
  ]
}

const times: readonly Column<Token>[] = [
  {
    key: 'expires',
    title: 'Expires',
    width: 'minmax(100px, 1fr)',
    minWindow: 992,
    render: ({ expires_on }) => (expires_on === undefined ? 'Never' : dayText(expires_on)),
  },
  {
    key: 'used',
    title: 'Last used',
    width: 'minmax(140px, 1fr)',
    minWindow: 1200,
    render: ({ last_used_on }) => (last_used_on === undefined ? 'Never' : momentText(last_used_on)),
  },
]

function dayText(iso: string): string {
  return new Date(iso).toLocaleDateString(undefined, { dateStyle: 'medium' })
}
