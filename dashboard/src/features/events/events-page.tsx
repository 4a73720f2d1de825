import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useMay } from '../../api/permissions.ts'
import type { SecurityEvent } from '../../api/types.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, FailureState } from '../../ui/states.tsx'
import { TimeRangePicker } from '../../ui/time-range.tsx'
import { TryCommands } from '../../ui/try-commands.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { useZone } from '../../ui/use-zone.ts'
import { EventTable } from './event-table.tsx'
import { ExceptionDrawer } from './exception-drawer.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { FilterBar } from './filter-bar.tsx'
import { TimeChart } from './time-chart.tsx'
import { TopLists } from './top-lists.tsx'
import { useEventFilter } from './use-event-filter.ts'
import { type EventList, useEvents, useRange } from './use-events.ts'
import { useRuleNames } from './use-rule-names.ts'
import { WhyDrawer } from './why-drawer.tsx'

/** How soon somebody who waits for the first event sees it. */
const waitMs = 4000

/** What security rules did to the requests of the zone. */
export default function EventsPage() {
  const { may, reason } = useMay('zoneLogs read')
  return may ? (
    <Events />
  ) : (
    <>
      <PageHeader title="Events" />
      <EmptyState title="This token may not look at events" text={reason} />
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
  const question = { zoneId: zone.id, range, filter: filter.filter, round }
  const list = useEvents(question, true)
  const names = useRuleNames(zone.id, list.events)
  const waits =
    !list.isPending && list.error === null && list.events.length === 0 && range.preset !== undefined
  useEffect(() => {
    if (!waits) return
    const timer = setInterval(refresh, waitMs)
    return () => clearInterval(timer)
  }, [waits, refresh])
  return (
    <>
      <PageHeader
        title="Events"
        text={`What security rules did to requests of ${zone.name}. Choose a value in the chart or in a list to see only its events.`}
        actions={
          <>
            <TimeRangePicker />
            <Button
              size="xs"
              variant="default"
              leftSection={list.isFetching && !waits ? <Loader size={14} /> : null}
              onClick={refresh}
            >
              Refresh
            </Button>
            <Button size="xs" variant="default" onClick={() => setExports(true)}>
              Export…
            </Button>
          </>
        }
      />
      <Stack gap="sm">
        <FilterBar state={filter} names={names} onWhy={setWhy} />
        <TimeChart question={question} filter={filter} names={names} />
        <TopLists question={question} filter={filter} names={names} />
        {list.error === null ? null : (
          <Stack gap="xs">
            <FailureState title="The events cannot be listed" error={list.error} />
            <Button variant="default" w="fit-content" onClick={list.again}>
              Try again
            </Button>
          </Stack>
        )}
        <EventTable
          list={list}
          names={names}
          empty={<Nothing list={list} zoneName={zone.name} filtered={!filter.isEmpty} />}
          onExcept={setExcepted}
          onWhy={setWhy}
        />
        <Loaded list={list} />
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
        question={question}
        filtered={!filter.isEmpty}
        onClose={() => setExports(false)}
      />
    </>
  )
}

function Loaded({ list: { events, hasMore, isFetching, loadMore } }: { readonly list: EventList }) {
  if (events.length === 0) return null
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {hasMore
          ? `The newest ${events.length.toLocaleString()} events; older ones come as you scroll`
          : `${events.length.toLocaleString()} ${events.length === 1 ? 'event' : 'events'}: all there are`}
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
        <Loader role="img" aria-label="Events are being looked for" />
      </Group>
    )
  if (filtered)
    return (
      <EmptyState
        title="No event in this time that the filter keeps"
        text="Remove conditions, or choose a longer time."
      />
    )
  return (
    <EmptyState
      title="No events in this time"
      text="Requests that rules did nothing to have none. To make one, send an attack; it is here some seconds later:"
      action={
        <div style={{ width: '100%', maxWidth: 640 }}>
          <TryCommands zoneName={zoneName} />
        </div>
      }
    />
  )
}
