import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useMay } from '../../api/permissions.ts'
import type { SecurityEvent } from '../../api/types.ts'
import { TryCommands } from '../../domain/zone/try-commands.tsx'
import { useZone } from '../../domain/zone/use-zone.ts'
import { TimeRangePicker } from '../../ui/address/time-range.tsx'
import { useUrlState } from '../../ui/address/use-url-state.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Stale } from '../../ui/page/stale.tsx'
import { EmptyState, FailureState } from '../../ui/page/states.tsx'
import { TimeChart } from './chart/time-chart.tsx'
import { ExceptionDrawer } from './exception/exception-drawer.tsx'
import { ExportDialog } from './export/export-dialog.tsx'
import { FilterBar } from './filter/filter-bar.tsx'
import { TopLists } from './filter/top-lists.tsx'
import { useEventFilter } from './filter/use-event-filter.ts'
import { EventTable } from './list/event-table.tsx'
import { WhyDrawer } from './list/why-drawer.tsx'
import { type EventList, useEvents, useRange } from './use-events.ts'
import { useRuleNames } from './use-rule-names.ts'

/** Poll interval while the zone has no events. */
const waitMs = 4000

/** Security events of the zone. */
export default function EventsPage() {
  const { may, reason } = useMay('zoneLogs read')
  return may ? (
    <Events />
  ) : (
    <>
      <PageHeader title="Events" />
      <EmptyState title="No permission to view events" text={reason} />
    </>
  )
}

function Events() {
  const zone = useZone()
  const filter = useEventFilter()
  const { range, round, refresh } = useRange()
  const [why, setWhy] = useUrlState('why')
  const [excepted, setExcepted] = useState<SecurityEvent>()
  const [exports, setExports] = useState(false)
  const query = { zoneId: zone.id, range, filter: filter.filter, round }
  const list = useEvents(query, true)
  const names = useRuleNames(zone.id, list.events)
  const isEmpty = !list.isPending && list.error === null && list.events.length === 0
  const waits = isEmpty && range.preset !== undefined
  useRefreshWhile(waits, refresh)
  const nothing = <Nothing list={list} zoneName={zone.name} filtered={!filter.isEmpty} />
  return (
    <>
      <PageHeader
        title="Events"
        text={`Actions of security rules on requests to ${zone.name}. Select a value in the chart or a list to filter.`}
        actions={
          <>
            <TimeRangePicker />
            <Refresh busy={list.isFetching && !waits} onRefresh={refresh} />
            <Button size="xs" variant="default" onClick={() => setExports(true)}>
              Export…
            </Button>
          </>
        }
      />
      <Stack gap="sm">
        <FilterBar state={filter} names={names} onWhy={setWhy} />
        <TimeChart query={query} filter={filter} names={names} />
        <TopLists query={query} filter={filter} names={names} />
        {list.error === null ? null : <NotListed error={list.error} onAgain={list.again} />}
        <Stale of={list}>
          <Stack gap="sm">
            <EventTable list={list} names={names} empty={nothing} onExcept={setExcepted} onWhy={setWhy} />
            <Loaded list={list} />
          </Stack>
        </Stale>
      </Stack>
      <WhyDrawer zoneId={zone.id} rayId={why} names={names} onClose={() => setWhy('')} />
      <ExceptionDrawer
        zoneId={zone.id}
        event={excepted}
        range={range}
        names={names}
        onClose={() => setExcepted(undefined)}
      />
      <ExportDialog
        opened={exports}
        query={query}
        filtered={!filter.isEmpty}
        onClose={() => setExports(false)}
      />
    </>
  )
}

function useRefreshWhile(waits: boolean, refresh: () => void): void {
  useEffect(() => {
    if (!waits) return
    const timer = setInterval(refresh, waitMs)
    return () => clearInterval(timer)
  }, [waits, refresh])
}

function Refresh({ busy, onRefresh }: { readonly busy: boolean; readonly onRefresh: () => void }) {
  return (
    <Button size="xs" variant="default" leftSection={busy ? <Loader size={14} /> : null} onClick={onRefresh}>
      Refresh
    </Button>
  )
}

function NotListed({ error, onAgain }: { readonly error: unknown; readonly onAgain: () => void }) {
  return (
    <Stack gap="xs">
      <FailureState title="Failed to load events" error={error} />
      <Button variant="default" w="fit-content" onClick={onAgain}>
        Try again
      </Button>
    </Stack>
  )
}

function Loaded({ list: { events, hasMore, isFetching, loadMore } }: { readonly list: EventList }) {
  if (events.length === 0) return null
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {hasMore
          ? `Newest ${events.length.toLocaleString()} events; scroll for more`
          : `${events.length.toLocaleString()} ${events.length === 1 ? 'event' : 'events'}`}
      </Text>
      {hasMore ? (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={isFetching ? <Loader size={14} /> : null}
          onClick={loadMore}
        >
          Load more
        </Button>
      ) : null}
    </Group>
  )
}

interface NothingProps {
  readonly list: EventList
  readonly zoneName: string
  readonly filtered: boolean
}

function Nothing({ list, zoneName, filtered }: NothingProps) {
  if (list.error !== null) return null
  if (list.isPending || list.hasMore)
    return (
      <Group justify="center" p="xl">
        <Loader role="img" aria-label="Loading events" />
      </Group>
    )
  if (filtered)
    return (
      <EmptyState
        title="No matching events in this period"
        text="Remove filters or select a longer period."
      />
    )
  return (
    <EmptyState
      title="No events in this period"
      text="Only requests on which a rule acts appear here. To test, send an attack; its event appears within seconds:"
      action={
        <div style={{ width: '100%', maxWidth: 640 }}>
          <TryCommands zoneName={zoneName} />
        </div>
      }
    />
  )
}
