import { Group, Loader, NativeSelect, Paper, Text, Title } from '@mantine/core'
import { lazy, Suspense, useMemo } from 'react'
import { useRead } from '../../../api/hooks.ts'
import { useUrlState } from '../../../ui/address/use-url-state.ts'
import { Stale } from '../../../ui/page/stale.tsx'
import { FailureState } from '../../../ui/page/states.tsx'
import classes from '../events.module.css'
import type { FilterState } from '../filter/use-event-filter.ts'
import type { EventQuery } from '../use-events.ts'
import type { RuleNames } from '../use-rule-names.ts'
import { type ChartSeries, type Grouping, groups, seriesOf } from './series.ts'
import { stepFor } from './steps.ts'

const StackedChart = lazy(() => import('./stacked-chart.tsx'))

interface Props {
  readonly query: EventQuery
  readonly filter: FilterState
  readonly names: RuleNames
}

/** Events over time; the legend filters. */
export function TimeChart({ query: { zoneId, range, filter: asked }, filter, names }: Props) {
  const [text, setText] = useUrlState('group', 'action')
  const group: Grouping = groups.find(({ value }) => value === text)?.value ?? 'action'
  const { since, until } = range
  const chart = useRead(
    'GET /zones/{zone_id}/security/timeseries',
    {
      path: { zone_id: zoneId },
      query: { since, until, ...asked, group_by: group, step: stepFor(since, until) },
    },
    { keepPrevious: true },
  )
  const { data, error, isFetching } = chart
  // A new list makes the chart draw itself again.
  const series = useMemo(() => (data === undefined ? [] : seriesOf(data, names)), [data, names])
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label="Events over time"
      className={classes['panel'] ?? ''}
    >
      <Group justify="space-between" mb="sm" gap="sm">
        <Group gap="sm">
          <Title order={2}>Events over time</Title>
          {isFetching ? <Loader role="img" size="xs" aria-label="Loading chart" /> : null}
        </Group>
        <NativeSelect
          size="xs"
          label="Group by"
          classNames={{ root: classes['beside'] ?? '' }}
          data={groups.map(each => ({ ...each }))}
          value={group}
          onChange={event => setText(event.currentTarget.value)}
        />
      </Group>
      {error === null ? null : <FailureState title="Failed to load chart" error={error} />}
      <Stale of={chart}>
        {data === undefined ? (
          <div className={classes['chart']} />
        ) : (
          <Suspense fallback={<div className={classes['chart']} />}>
            <StackedChart since={data.since} step={data.step} series={series} />
          </Suspense>
        )}
        <Legend series={series} group={data?.group_by ?? group} filter={filter} />
      </Stale>
      {data !== undefined && Date.parse(data.since) > Date.parse(since) + data.step * 1000 ? (
        <Text size="xs" c="dimmed" mt="xs">
          Too many events in this range: the chart counts those since {new Date(data.since).toLocaleString()}{' '}
          only. The list and the export are complete.
        </Text>
      ) : null}
    </Paper>
  )
}

interface LegendProps {
  readonly series: readonly ChartSeries[]
  readonly group: string
  readonly filter: FilterState
}

function Legend({ series, group, filter }: LegendProps) {
  if (series.length === 0) return null
  const name = group as Grouping
  return (
    <ul className={classes['legend']} aria-label="Legend: select a value to filter">
      {series.map(({ value, label, colour, total }) => (
        <li key={`${value} ${label}`}>
          {value === '' ? (
            <span className={classes['key']}>
              <Swatch colour={colour} />
              <span className="cut">{label}</span>
              <span className={classes['count']}>{total.toLocaleString()}</span>
            </span>
          ) : (
            <button
              type="button"
              className={classes['key']}
              aria-pressed={filter.filter[name] === value}
              onClick={() => filter.toggle(name, value)}
            >
              <Swatch colour={colour} />
              <span className="cut">{label}</span>
              <span className={classes['count']}>{total.toLocaleString()}</span>
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Swatch({ colour }: { readonly colour: string }) {
  const variable = `var(--mantine-color-${colour.replace('.', '-')})`
  return <span aria-hidden="true" className={classes['swatch']} style={{ background: variable }} />
}
