import { Paper, SimpleGrid, Skeleton, Text, Title } from '@mantine/core'
import { useRead } from '../../../api/hooks.ts'
import type { SecurityTop } from '../../../api/types.ts'
import { Stale } from '../../../ui/page/stale.tsx'
import classes from '../events.module.css'
import type { EventQuery } from '../use-events.ts'
import type { RuleNames } from '../use-rule-names.ts'
import type { FilterState } from './use-event-filter.ts'
import { valueLabel } from './value-label.ts'

const lists = [
  { by: 'matched_rule_id', title: 'Matched rules' },
  { by: 'path', title: 'Paths' },
  { by: 'client_ip', title: 'Clients' },
  { by: 'country', title: 'Countries' },
  { by: 'user_agent', title: 'User agents' },
  { by: 'host', title: 'Hosts' },
] as const

interface Props {
  readonly query: EventQuery
  readonly filter: FilterState
  readonly names: RuleNames
}

/** The most frequent values; selecting one filters. */
export function TopLists(props: Props) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 3, xl: 6 }} spacing="sm">
      {lists.map(list => (
        <TopList key={list.by} {...list} {...props} />
      ))}
    </SimpleGrid>
  )
}

function TopList({ by, title, query, filter, names }: (typeof lists)[number] & Props) {
  const { zoneId, range, filter: asked } = query
  const { since, until } = range
  const top = useRead(
    'GET /zones/{zone_id}/security/top',
    { path: { zone_id: zoneId }, query: { since, until, ...asked, by, limit: 6 } },
    { keepPrevious: true },
  )
  const { data, isError } = top
  return (
    <Paper withBorder p="sm" component="section" aria-label={title} className={classes['panel'] ?? ''}>
      <Title order={3} mb="xs">
        {title}
      </Title>
      {data === undefined ? (
        isError ? (
          <Text size="sm" c="dimmed">
            Currently unavailable.
          </Text>
        ) : (
          <Skeleton h={96} />
        )
      ) : (
        <Stale of={top}>
          <Values top={data} filter={filter} names={names} />
        </Stale>
      )}
    </Paper>
  )
}

interface ValuesProps {
  readonly top: SecurityTop
  readonly filter: FilterState
  readonly names: RuleNames
}

function Values({ top: { by, values, other_events: others }, filter, names }: ValuesProps) {
  if (values.length === 0)
    return (
      <Text size="sm" c="dimmed">
        None in this period.
      </Text>
    )
  const most = values[0]!.events
  return (
    <ol className={classes['list']}>
      {values.map(({ value, ref, events, mitigated }) => {
        const label = valueLabel(by, value, ref, names)
        const bar = (
          <span
            aria-hidden="true"
            className={classes['bar']}
            style={{ width: `${(100 * events) / most}%` }}
          />
        )
        const text = <span className={classes['text']}>{label}</span>
        const count = <span className={classes['count']}>{events.toLocaleString()}</span>
        return (
          <li key={value}>
            {value === '' ? (
              <span className={classes['item']}>
                {bar}
                {text}
                {count}
              </span>
            ) : (
              <button
                type="button"
                className={classes['item']}
                aria-pressed={filter.filter[by] === value}
                title={`${label}: ${events.toLocaleString()} events, ${mitigated.toLocaleString()} mitigated`}
                onClick={() => filter.toggle(by, value)}
              >
                {bar}
                {text}
                {count}
              </button>
            )}
          </li>
        )
      })}
      {others === 0 ? null : (
        <li className={classes['item']}>
          <Text span inherit c="dimmed">
            Other
          </Text>
          <span className={classes['count']}>{others.toLocaleString()}</span>
        </li>
      )}
    </ol>
  )
}
