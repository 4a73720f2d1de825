import { Badge, Button, Checkbox, Group, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { type Column, DataTable } from '../../../ui/display/data-table.tsx'
import { EmptyState } from '../../../ui/page/states.tsx'
import classes from './rule-list.module.css'
import type { RuleRow } from './rule-search.ts'
import { countText, type HitsOfRules, shareText } from './use-rule-hits.ts'

interface Props {
  /** Rules that match the search. */
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
              Select all {rows.length.toLocaleString()}
            </Button>
          ) : (
            <ChosenActions
              count={shownChosen.length}
              disabled={disabled}
              onSwitch={switchChosen}
              onNone={() => setChosen(new Set())}
            />
          )}
        </Group>
      </Group>
      <DataTable
        label="Managed rules"
        columns={columnsOf({ chosen, choose, hits, disabled, onSwitch })}
        rows={rows}
        rowKey={({ rule }) => rule.id}
        total={rows.length}
        maxHeight="max(22rem, calc(100vh - 24rem))"
        onOpen={onOpen}
        rowClass={row => (row.state.on === row.wasOn ? undefined : classes['draft'])}
        empty={<EmptyState title="No matching rules" text="Change the search or remove a filter." />}
      />
    </section>
  )
}

interface ChosenProps {
  readonly count: number
  readonly disabled: boolean
  onSwitch(on: boolean): void
  onNone(): void
}

/** Actions on the selected rules. */
function ChosenActions({ count, disabled, onSwitch, onNone }: ChosenProps) {
  return (
    <>
      <Text size="sm">{count.toLocaleString()} selected</Text>
      <Button size="compact-sm" variant="default" disabled={disabled} onClick={() => onSwitch(false)}>
        Disable
      </Button>
      <Button size="compact-sm" variant="default" disabled={disabled} onClick={() => onSwitch(true)}>
        Enable
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={onNone}>
        Clear selection
      </Button>
    </>
  )
}

interface Controls extends Pick<Props, 'hits' | 'disabled' | 'onSwitch'> {
  readonly chosen: ReadonlySet<string>
  choose(id: string, on: boolean): void
}

function columnsOf(controls: Controls): readonly Column<RuleRow>[] {
  const { chosen, choose, hits, disabled, onSwitch } = controls
  return [
    {
      key: 'choose',
      title: 'Select',
      titleHidden: true,
      width: '24px',
      render: ({ rule, number }) => (
        <Checkbox
          size="xs"
          aria-label={`Select rule ${number}`}
          disabled={disabled}
          checked={chosen.has(rule.id)}
          onChange={event => choose(rule.id, event.currentTarget.checked)}
        />
      ),
    },
    ...aboutRule,
    ...hitColumns(hits),
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

const aboutRule: readonly Column<RuleRow>[] = [
  {
    key: 'number',
    title: 'Rule',
    width: '60px',
    render: ({ number }) => <span className="mono">{number}</span>,
  },
  {
    key: 'text',
    title: 'Message',
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
]

function hitColumns(hits: HitsOfRules): readonly Column<RuleRow>[] {
  return [
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
