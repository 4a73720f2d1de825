import { Group, Loader, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { callPage } from '../../api/client.ts'
import type { Zone } from '../../api/types.ts'
import { shareText } from '../../domain/zone/share-text.ts'
import { useUrlState } from '../../ui/address/use-url-state.ts'
import { type Column, DataTable } from '../../ui/display/data-table.tsx'
import { SearchIcon } from '../../ui/display/icons.tsx'
import { StatusDot } from '../../ui/display/status-dot.tsx'
import { TextLink } from '../../ui/page/links.tsx'
import { Stale } from '../../ui/page/stale.tsx'
import { EmptyState, FailureState } from '../../ui/page/states.tsx'
import { useTraffic } from './use-traffic.ts'
import { ZoneDelivery } from './zone-delivery.tsx'
import { ZoneWaf } from './zone-waf.tsx'

const perPage = 50

/** All zones, loaded on scroll by fifty; the API searches. */
export function ZoneList() {
  const [search, setSearch] = useUrlState('zone')
  const [typed, setTyped] = useState(search)
  const [text] = useDebouncedValue(typed.trim(), 200)
  useEffect(() => {
    setSearch(text)
  }, [text, setSearch])
  const list = useZones(text)
  const zones = useMemo(() => list.data?.pages.flatMap(page => page.result) ?? [], [list.data])
  const total = list.data?.pages[0]?.page?.total_count ?? zones.length
  const traffic = useTraffic(useMemo(() => zones.map(zone => zone.id), [zones]))
  const columns = useMemo(() => columnsWith(traffic), [traffic])
  const navigate = useNavigate()
  const { hasNextPage, isFetching, fetchNextPage } = list
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])

  if (list.isError) return <FailureState title="Failed to load zones" error={list.error} />
  return (
    <section aria-label="Zones">
      <Group justify="space-between" mb="sm" gap="sm">
        <TextInput
          aria-label="Search zones"
          placeholder="Search zones"
          leftSection={<SearchIcon size={16} />}
          rightSection={isFetching ? <Loader size="xs" /> : null}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
          flex="0 1 320px"
        />
        <Text size="sm" c="dimmed" role="status">
          {list.data === undefined ? '' : `${total.toLocaleString()} ${total === 1 ? 'zone' : 'zones'}`}
        </Text>
      </Group>
      <Stale of={list}>
        <DataTable
          label="Zones"
          columns={columns}
          rows={zones}
          rowKey={zone => zone.id}
          total={total}
          maxHeight="max(20rem, calc(100vh - 22rem))"
          onNearEnd={onNearEnd}
          onOpen={zone => void navigate({ to: `/zones/${zone.id}` })}
          empty={list.isPending ? <Waiting /> : <Nothing searched={text !== ''} />}
        />
      </Stale>
    </section>
  )
}

function columnsWith({ known, byZone }: ReturnType<typeof useTraffic>): readonly Column<Zone>[] {
  const dayOf = ({ id }: Zone) => byZone.get(id)?.day ?? (known ? { requests: 0, mitigated: 0 } : undefined)
  const requests: Column<Zone> = {
    key: 'requests',
    title: 'Requests, 24 h',
    width: '110px',
    align: 'right',
    minWindow: 640,
    render: zone => dayOf(zone)?.requests.toLocaleString() ?? '',
  }
  const mitigated: Column<Zone> = {
    key: 'mitigated',
    title: 'Mitigated',
    width: '84px',
    align: 'right',
    render: zone => {
      const day = dayOf(zone)
      return day === undefined ? '' : shareText(day)
    },
  }
  return [...before, requests, mitigated, changed]
}

const changed: Column<Zone> = {
  key: 'modified',
  title: 'Changed',
  width: '120px',
  align: 'right',
  minWindow: 1200,
  render: ({ modified_on }) => new Date(modified_on).toLocaleDateString(),
}

const before: readonly Column<Zone>[] = [
  {
    key: 'name',
    title: 'Zone',
    width: 'minmax(0, 1.6fr)',
    render: zone => (
      <TextLink to={`/zones/${zone.id}`} fw={550} c="inherit" tabIndex={-1}>
        {zone.name}
      </TextLink>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 'minmax(84px, 0.7fr)',
    minWindow: 640,
    render: ({ paused }) => (
      <StatusDot tone={paused ? 'warn' : 'good'}>{paused ? 'Paused' : 'Active'}</StatusDot>
    ),
  },
  {
    key: 'waf',
    title: 'WAF',
    width: 'minmax(96px, 1.7fr)',
    render: zone => <ZoneWaf zone={zone} />,
  },
  {
    key: 'origin',
    title: 'Origin',
    width: 'minmax(0, 1.6fr)',
    minWindow: 992,
    render: ({ origin }) => <span className="mono">{origin.url ?? 'none'}</span>,
  },
  {
    key: 'delivery',
    title: 'Log delivery',
    width: 'minmax(120px, 1.7fr)',
    minWindow: 768,
    render: ({ id }) => <ZoneDelivery zoneId={id} />,
  },
]

function useZones(text: string) {
  return useInfiniteQuery({
    queryKey: ['GET /zones', 'list', text],
    queryFn: ({ pageParam, signal }) =>
      callPage(
        'GET /zones',
        {
          query: { page: pageParam, per_page: perPage, ...(text === '' ? {} : { name: `contains:${text}` }) },
        },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: ({ page }) => {
      const next = (page?.page ?? 1) + 1
      return next <= (page?.total_pages ?? 1) ? next : undefined
    },
    placeholderData: keepPreviousData,
  })
}

function Waiting() {
  return (
    <Group justify="center" p="xl">
      <Loader role="img" size="sm" aria-label="Loading zones" />
    </Group>
  )
}

function Nothing({ searched }: { readonly searched: boolean }) {
  if (searched) return <EmptyState title="No matching zones" text="Change the search." />
  return (
    <EmptyState
      title="No zones yet"
      text="A zone is a domain and its origin. Add one to inspect its requests."
    />
  )
}
