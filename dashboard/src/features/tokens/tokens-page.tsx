import { SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { isPermission } from '../../api/failure.ts'
import type { Token } from '../../api/types.ts'
import { usePages } from '../../api/use-pages.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { LinkButton } from '../../ui/links.tsx'
import { momentText } from '../../ui/local-time.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Permitted } from '../../ui/permitted.tsx'
import { EmptyState, FailureState } from '../../ui/states.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { at, type TokenScope, useOwnTokenId, useTokenScope } from './scope.ts'
import { TokenActions } from './token-actions.tsx'
import { TokenDrawer } from './token-drawer.tsx'
import { permissionSummary, resourceSummary, stateWords } from './words.ts'

/** Tokens of the user or of the account. */
export default function TokensPage() {
  const [scope, setKind] = useTokenScope()
  return (
    <>
      <PageHeader
        title="API tokens"
        text="A token for each machine, with what it needs and no more. Its value is shown once, when it is made."
        actions={<NewToken scope={scope} />}
      />
      <Stack gap="md">
        <SegmentedControl
          aria-label="Whose tokens"
          w="fit-content"
          data={[
            { value: 'user', label: 'Of the user' },
            { value: 'account', label: 'Of the account' },
          ]}
          value={scope.kind}
          onChange={setKind}
        />
        <Text size="sm" c="dimmed">
          {scope.kind === 'user'
            ? 'They act for the user who is behind the token that you signed in with.'
            : 'They belong to the account, outlive whoever made them, and reach the account and its zones only.'}
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
          Create a token
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
          isPermission(tokens.error)
            ? `Your token may not see the tokens of the ${scope.kind}`
            : 'The tokens cannot be listed'
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
              text={`The ${scope.kind} has no API token.`}
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
            {token.id === ownId ? 'you are signed in with it' : `made ${dayText(token.issued_on)}`}
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
    {
      key: 'actions',
      title: 'Actions',
      titleHidden: true,
      width: '44px',
      render: token => <TokenActions scope={scope} token={token} isOwn={token.id === ownId} />,
    },
  ]
}

function dayText(iso: string): string {
  return new Date(iso).toLocaleDateString(undefined, { dateStyle: 'medium' })
}
