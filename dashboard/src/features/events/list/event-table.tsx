import { type ReactNode, useCallback, useMemo, useState } from 'react'
import type { SecurityEvent } from '../../../api/types.ts'
import { type Column, DataTable } from '../../../ui/display/data-table.tsx'
import { StatusDot } from '../../../ui/display/status-dot.tsx'
import classes from '../events.module.css'
import type { PayloadKey } from '../payload/use-payload.ts'
import type { EventList } from '../use-events.ts'
import type { RuleNames } from '../use-rule-names.ts'
import { actionLabel, actionTone, countryLabel, momentText } from '../words.ts'
import { EventDetails } from './event-details.tsx'

interface Props {
  readonly list: EventList
  readonly names: RuleNames
  readonly empty: ReactNode
  readonly onExcept: (event: SecurityEvent) => void
  readonly onWhy: (rayId: string) => void
}

const none: ReadonlySet<string> = new Set()

/** Events, newest first; rows expand. */
export function EventTable({ list, names, empty, onExcept, onWhy }: Props) {
  const [expanded, setExpanded] = useState(none)
  const [key, setKey] = useState('')
  const payloadKey = useMemo<PayloadKey>(() => ({ value: key, set: setKey }), [key])
  const toggle = useCallback(
    ({ id }: SecurityEvent) =>
      setExpanded(before => (before.has(id) ? without(before, id) : new Set([...before, id]))),
    [],
  )
  const columns = useMemo(() => columnsWith(names, expanded, toggle), [names, expanded, toggle])
  return (
    <DataTable
      label="Events, newest first"
      columns={columns}
      rows={list.events}
      rowKey={event => event.id}
      rowHeight={38}
      maxHeight="max(24rem, calc(100vh - 12rem))"
      onNearEnd={list.loadMore}
      onOpen={toggle}
      expanded={expanded}
      detail={event => (
        <EventDetails event={event} names={names} payloadKey={payloadKey} onExcept={onExcept} onWhy={onWhy} />
      )}
      empty={empty}
    />
  )
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter(other => other !== id))
}

function columnsWith(
  names: RuleNames,
  expanded: ReadonlySet<string>,
  toggle: (event: SecurityEvent) => void,
): readonly Column<SecurityEvent>[] {
  return [
    {
      key: 'open',
      title: 'Details',
      titleHidden: true,
      width: '24px',
      render: event => (
        <button
          type="button"
          className={classes['toggle']}
          // Enter on the row does the same.
          tabIndex={-1}
          aria-expanded={expanded.has(event.id)}
          aria-label={`Details of ${event.ray_id}`}
          onClick={() => toggle(event)}
        >
          <span aria-hidden="true">{expanded.has(event.id) ? '▾' : '▸'}</span>
        </button>
      ),
    },
    ...whenAndWhat,
    {
      key: 'rule',
      title: 'Rule',
      width: 'minmax(96px, 1fr)',
      minWindow: 992,
      render: ({ description, rule_id }) => description || names(rule_id),
    },
    ...whatWasAsked,
  ]
}

const whenAndWhat: readonly Column<SecurityEvent>[] = [
  {
    key: 'time',
    title: 'Time',
    width: '142px',
    minWindow: 640,
    render: ({ datetime }) => momentText(datetime),
  },
  {
    key: 'action',
    title: 'Action',
    // Fits “Managed Challenge” on wide windows.
    width: 'clamp(88px, 12vw, 152px)',
    render: ({ action }) => <StatusDot tone={actionTone(action)}>{actionLabel(action)}</StatusDot>,
  },
]

const whatWasAsked: readonly Column<SecurityEvent>[] = [
  {
    key: 'score',
    title: 'Score',
    width: '72px',
    align: 'right',
    minWindow: 768,
    render: ({ metadata: { score, threshold } }) =>
      score === undefined ? '' : `${score} of ${threshold ?? '–'}`,
  },
  {
    key: 'request',
    title: 'Request',
    width: 'minmax(120px, 3.5fr)',
    render: ({ method, path, query }) => (
      <span title={`${path}${query}`}>
        <b className={classes['method']}>{method}</b> {path}
        {query}
      </span>
    ),
  },
  { key: 'host', title: 'Host', width: 'minmax(80px, 1fr)', minWindow: 1600, render: ({ host }) => host },
  {
    key: 'client',
    title: 'Client',
    width: 'minmax(96px, 1fr)',
    minWindow: 640,
    render: event => event.client_ip,
  },
  {
    key: 'country',
    title: 'Country',
    width: 'minmax(72px, 0.8fr)',
    minWindow: 1600,
    render: event => countryLabel(event.client_country),
  },
  {
    key: 'ray',
    title: 'Ray ID',
    width: '156px',
    minWindow: 1200,
    render: event => <span className="mono">{event.ray_id}</span>,
  },
]
