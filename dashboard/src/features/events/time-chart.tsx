import { Group, Loader, NativeSelect, Paper, Text, Title } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { SecurityTimeseries } from '../../api/types.ts'
import { FailureState } from '../../ui/states.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import classes from './events.module.css'
import { stepFor } from './steps.ts'
import type { FilterState } from './use-event-filter.ts'
import type { Question } from './use-events.ts'
import type { RuleNames } from './use-rule-names.ts'
import { valueLabel } from './value-label.ts'
import { otherColour, seriesColour } from './words.ts'

const StackedChart = lazy(() => import('./stacked-chart.tsx'))

const groups = [
  { value: 'action', label: 'Action' },
  { value: 'rule_id', label: 'Rule that acted' },
  { value: 'matched_rule_id', label: 'Rule that matched' },
  { value: 'path', label: 'Path' },
  { value: 'country', label: 'Country' },
  { value: 'client_ip', label: 'Client' },
] as const

type Grouping = (typeof groups)[number]['value']

export interface ChartSeries {
  readonly value: string
  readonly label: string
  readonly colour: string
  readonly total: number
  readonly counts: readonly number[]
}

interface Props {
  readonly question: Question
  readonly filter: FilterState
  readonly names: RuleNames
}

/** Events over time; its legend is a filter. */
export function TimeChart({ question: { zoneId, range, filter: asked }, filter, names }: Props) {
  const [text, setText] = useUrlState('group', 'action')
  const group: Grouping = groups.find(({ value }) => value === text)?.value ?? 'action'
  const { since, until } = range
  const { data, error, isFetching } = useRead(
    'GET /zones/{zone_id}/security/timeseries',
    {
      path: { zone_id: zoneId },
      query: { since, until, ...asked, group_by: group, step: stepFor(since, until) },
    },
    { keepPrevious: true },
  )
  const series = data === undefined ? [] : seriesOf(data, names)
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
          {isFetching ? <Loader role="img" size="xs" aria-label="The chart is being read" /> : null}
        </Group>
        <NativeSelect
          size="xs"
          label="Stacked by"
          classNames={{ root: classes['beside'] ?? '' }}
          data={groups.map(each => ({ ...each }))}
          value={group}
          onChange={event => setText(event.currentTarget.value)}
        />
      </Group>
      {error === null ? null : <FailureState title="The chart cannot be read" error={error} />}
      {data === undefined ? (
        <div className={classes['chart']} />
      ) : (
        <Suspense fallback={<div className={classes['chart']} />}>
          <StackedChart since={data.since} step={data.step} series={series} />
        </Suspense>
      )}
      <Legend series={series} group={data?.group_by ?? group} filter={filter} />
      {data !== undefined && Date.parse(data.since) > Date.parse(since) + data.step * 1000 ? (
        <Text size="xs" c="dimmed" mt="xs">
          There are very many events in this range: only those since {new Date(data.since).toLocaleString()}{' '}
          are counted. The list and the export have all of them.
        </Text>
      ) : null}
    </Paper>
  )
}

function seriesOf({ series, other, group_by }: SecurityTimeseries, names: RuleNames): readonly ChartSeries[] {
  const shown = series.map(({ value, ref, total, counts }, index) => ({
    value,
    label: valueLabel(group_by, value, ref, names),
    colour: seriesColour(group_by, value, index),
    total,
    counts,
  }))
  if (other === null || other.total === 0) return shown
  return [...shown, { ...other, value: '', label: 'All others', colour: otherColour }]
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
    <ul className={classes['legend']} aria-label="Legend: choose one to see only its events">
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
