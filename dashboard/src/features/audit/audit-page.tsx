import { Badge, Button, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../../api/hooks.ts'
import type { AuditLog } from '../../api/types.ts'
import { usePages } from '../../api/use-pages.ts'
import { type Column, DataTable } from '../../ui/display/data-table.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { EmptyState, FailureState } from '../../ui/page/states.tsx'
import { EntryDrawer } from './entry-drawer.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useAuditFilters } from './filters.ts'
import { actionWord, actorText, fromText, metadataOf, resourceName, resourceWord } from './words.ts'

const perPage = 200

/** All changes, newest first. */
export default function AuditPage() {
  const { accountId } = useSession()
  const filters = useAuditFilters()
  const entries = usePages(
    'GET /accounts/{account_id}/audit_logs',
    { path: { account_id: accountId }, query: filters.query },
    { perPage },
  )
  const [opened, setOpened] = useState<AuditLog>()
  const { rows } = entries
  return (
    <>
      <PageHeader
        title="Audit trail"
        text="Every change through the API: actor, time, client address, and the values before and after. Refused requests are not recorded."
        actions={
          <Button variant="default" onClick={() => void entries.refetch()} loading={entries.isFetching}>
            Refresh
          </Button>
        }
      />
      <Stack gap="md">
        <FilterBar filters={filters} />
        {entries.isError ? (
          <FailureState title="Failed to load audit trail" error={entries.error} />
        ) : (
          <>
            <Text size="sm" c="dimmed" role="status">
              {entries.isPending ? '' : countText(rows.length, entries.hasMore)}
            </Text>
            <DataTable
              label="Changes"
              columns={columns}
              rows={rows}
              rowKey={entry => entry.id}
              rowHeight={52}
              maxHeight="max(20rem, calc(100vh - 20rem))"
              onNearEnd={entries.onNearEnd}
              onOpen={setOpened}
              empty={
                entries.isPending ? <Skeleton h={120} m="md" /> : <Nothing isFiltered={filters.isFiltered} />
              }
            />
          </>
        )}
      </Stack>
      <EntryDrawer
        entry={opened}
        onActor={actor => {
          setOpened(undefined)
          filters.setActor(actor)
        }}
        onClose={() => setOpened(undefined)}
      />
    </>
  )
}

function countText(count: number, hasMore: boolean): string {
  const text = `${count.toLocaleString()} ${count === 1 ? 'change' : 'changes'}`
  return hasMore ? `Newest ${text}; scroll for more` : text
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <EmptyState
      title="No changes in this period"
      text={
        isFiltered
          ? 'Remove a filter or select a longer period. Zone names, email and IP addresses must be complete.'
          : 'Select a longer period. The newest 100,000 changes are kept.'
      }
    />
  )
}

const colors: Readonly<Record<string, string>> = { create: 'teal', delete: 'red', roll: 'orange' }

const columns: readonly Column<AuditLog>[] = [
  {
    key: 'when',
    title: 'Time',
    width: 'minmax(92px, 0.8fr)',
    render: ({ when }) => {
      const moment = new Date(when)
      return (
        <time dateTime={when}>
          <div>{moment.toLocaleTimeString()}</div>
          <Text size="xs" c="dimmed" component="div">
            {moment.toLocaleDateString(undefined, { dateStyle: 'medium' })}
          </Text>
        </time>
      )
    },
  },
  {
    key: 'action',
    title: 'Action',
    width: '92px',
    render: ({ action }) => (
      <Badge
        size="sm"
        variant="outline"
        color={colors[action.type] ?? 'gray'}
        c="var(--mantine-color-text)"
        tt="none"
      >
        {actionWord(action.type)}
      </Badge>
    ),
  },
  {
    key: 'resource',
    title: 'Resource',
    width: 'minmax(0, 2fr)',
    render: entry => (
      <div>
        <div className="cut">{resourceName(entry)}</div>
        <Text size="xs" c="dimmed" className="cut" component="div">
          {resourceWord(entry.resource.type)}
        </Text>
      </div>
    ),
  },
  {
    key: 'zone',
    title: 'Zone',
    width: 'minmax(0, 1.2fr)',
    minWindow: 992,
    render: entry => metadataOf(entry).zone_name ?? metadataOf(entry).zone_id ?? '–',
  },
  {
    key: 'actor',
    title: 'Actor',
    width: 'minmax(0, 1.6fr)',
    minWindow: 640,
    render: entry => (
      <div>
        <div className="cut">{actorText(entry)}</div>
        <Text size="xs" c="dimmed" className="cut" component="div">
          {fromText(entry)}
        </Text>
      </div>
    ),
  },
]
