import { Badge, Button, Checkbox, Group, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import type { RuleRow } from '../../managed/rule-search.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/states.tsx'
import classes from './rule-list.module.css'
import { countText, type HitsOfRules, shareText } from './use-rule-hits.ts'

interface Props {
  /** Those that were searched for. */
  readonly rows: readonly RuleRow[]
  readonly total: number
  readonly hits: HitsOfRules
  readonly disabled: boolean
  onSwitch(ids: readonly string[], on: boolean): void
  onOpen(row: RuleRow): void
}

export function RuleList({ rows, total, hits, disabled, onSwitch, onOpen }: Props) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const shownChosen = rows.filter(({ rule }) => chosen.has(rule.id)).map(({ rule }) => rule.id)
  const choose = (id: string, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const switchChosen = (on: boolean) => {
    onSwitch(shownChosen, on)
    setChosen(new Set())
  }
  return (
    <section aria-label="Rules">
      <Group justify="space-between" mb="xs" gap="xs" mih={36}>
        <Text size="sm" c="dimmed" role="status">
          {rows.length === total
            ? `${total.toLocaleString()} rules`
            : `${rows.length.toLocaleString()} of ${total.toLocaleString()} rules`}
          {hits.note === undefined ? '' : `. ${hits.note}`}
        </Text>
        <Group gap="xs">
          {shownChosen.length === 0 ? (
            <Button
              size="compact-sm"
              variant="subtle"
              disabled={disabled || rows.length === 0}
              onClick={() => setChosen(new Set(rows.map(({ rule }) => rule.id)))}
            >
              Choose all {rows.length.toLocaleString()}
            </Button>
          ) : (
            <>
              <Text size="sm">{shownChosen.length.toLocaleString()} chosen</Text>
              <Button
                size="compact-sm"
                variant="default"
                disabled={disabled}
                onClick={() => switchChosen(false)}
              >
                Switch off
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                disabled={disabled}
                onClick={() => switchChosen(true)}
              >
                Switch on
              </Button>
              <Button size="compact-sm" variant="subtle" onClick={() => setChosen(new Set())}>
                Choose none
              </Button>
            </>
          )}
        </Group>
      </Group>
      <DataTable
        label="Rules of the ruleset"
        columns={columnsOf({ chosen, choose, hits, disabled, onSwitch })}
        rows={rows}
        rowKey={({ rule }) => rule.id}
        total={rows.length}
        maxHeight="max(22rem, calc(100vh - 24rem))"
        onOpen={onOpen}
        rowClass={row => (row.state.on === row.wasOn ? undefined : classes['draft'])}
        empty={<EmptyState title="No rule is like this" text="Search for less, or take a filter away." />}
      />
    </section>
  )
}

interface Controls extends Pick<Props, 'hits' | 'disabled' | 'onSwitch'> {
  readonly chosen: ReadonlySet<string>
  choose(id: string, on: boolean): void
}

function columnsOf({ chosen, choose, hits, disabled, onSwitch }: Controls): readonly Column<RuleRow>[] {
  return [
    {
      key: 'choose',
      title: 'Choose',
      titleHidden: true,
      width: '24px',
      render: ({ rule, number }) => (
        <Checkbox
          size="xs"
          aria-label={`Choose rule ${number}`}
          disabled={disabled}
          checked={chosen.has(rule.id)}
          onChange={event => choose(rule.id, event.currentTarget.checked)}
        />
      ),
    },
    {
      key: 'number',
      title: 'Rule',
      width: '60px',
      render: ({ number }) => <span className="mono">{number}</span>,
    },
    {
      key: 'text',
      title: 'What it looks for',
      width: 'minmax(0, 1fr)',
      render: row => <RuleTitle row={row} />,
    },
    { key: 'level', title: 'Level', width: '44px', minWindow: 480, render: ({ level }) => `PL${level}` },
    {
      key: 'points',
      title: 'Points',
      width: '48px',
      align: 'right',
      minWindow: 1200,
      render: ({ points }) => points,
    },
    {
      key: 'day',
      title: 'Hits 24 h',
      width: '76px',
      align: 'right',
      minWindow: 640,
      render: ({ rule }) => countText(hits.of(rule.id)?.day.hits),
    },
    {
      key: 'week',
      title: 'Hits 7 d',
      width: '76px',
      align: 'right',
      minWindow: 768,
      render: ({ rule }) => countText(hits.of(rule.id)?.week.hits),
    },
    {
      key: 'share',
      title: 'False positives',
      width: '104px',
      align: 'right',
      minWindow: 1200,
      render: ({ rule }) => shareText(hits.of(rule.id)?.week.false_positive_share),
    },
    {
      key: 'state',
      title: 'On',
      width: '44px',
      render: ({ rule, number, state }) => (
        <Switch
          size="xs"
          aria-label={`Rule ${number}`}
          disabled={disabled}
          checked={state.on}
          onChange={event => onSwitch([rule.id], event.currentTarget.checked)}
        />
      ),
    },
  ]
}

function RuleTitle({ row: { message, state, wasOn } }: { readonly row: RuleRow }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <span className="cut" title={message}>
        {message}
      </span>
      {state.on === wasOn ? null : (
        <Badge size="xs" variant="outline" flex="none">
          draft
        </Badge>
      )}
    </Group>
  )
}
