import { Group, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { CrsComparison } from '../../api/types.ts'
import { useUrlState } from '../../ui/address/use-url-state.ts'
import { type Column, DataTable } from '../../ui/display/data-table.tsx'
import { SearchIcon } from '../../ui/display/icons.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { type ComparedRule, comparedRules, type Kind, memberWords, searchRules } from './comparison.ts'
import { KindBadge } from './kind-badge.tsx'
import { RuleDrawer } from './rule-drawer.tsx'

/** The rules that differ: counts by kind, and the list. */
export function ComparisonView({ comparison }: { readonly comparison: CrsComparison }) {
  const { added, removed, changed, from, to } = comparison
  const [kind, setKind] = useUrlState('kind')
  const [search, setSearch] = useUrlState('rule')
  const [opened, setOpened] = useState<ComparedRule>()
  const rules = useMemo(() => comparedRules(comparison), [comparison])
  const shown = useMemo(
    () => searchRules(rules, search, kind === '' ? undefined : (kind as Kind)),
    [rules, search, kind],
  )
  if (rules.length === 0)
    return (
      <EmptyState
        title="Same rules"
        text={`CRS ${from.crs_version} (version ${from.version}) and CRS ${to.crs_version} (version ${to.version}) have no differences.`}
      />
    )
  return (
    <>
      <Group gap="sm">
        <SegmentedControl
          aria-label="Kind of change"
          value={kind}
          onChange={setKind}
          data={[
            { value: '', label: `All ${rules.length.toLocaleString()}` },
            { value: 'added', label: `Added ${added.length.toLocaleString()}` },
            { value: 'removed', label: `Removed ${removed.length.toLocaleString()}` },
            { value: 'changed', label: `Changed ${changed.length.toLocaleString()}` },
          ]}
        />
        <TextInput
          aria-label="Search rules"
          placeholder="Number, message or file"
          leftSection={<SearchIcon size={16} />}
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
        />
      </Group>
      <DataTable
        label="Changed rules"
        columns={columns}
        rows={shown}
        rowKey={rule => String(rule.id)}
        rowHeight={52}
        maxHeight="max(20rem, calc(100vh - 20rem))"
        onOpen={setOpened}
        empty={<EmptyState title="No matching rules" text="Select another kind or change the search." />}
      />
      <RuleDrawer rule={opened} from={from} to={to} onClose={() => setOpened(undefined)} />
    </>
  )
}

const columns: readonly Column<ComparedRule>[] = [
  { key: 'kind', title: 'Kind', width: '88px', render: ({ kind }) => <KindBadge kind={kind} /> },
  { key: 'id', title: 'Rule', width: '68px', render: ({ id }) => <span className="mono">{id}</span> },
  {
    key: 'message',
    title: 'Message',
    width: 'minmax(0, 3fr)',
    render: ({ message, file }) => (
      <div>
        <div className="cut">{message || 'No message'}</div>
        <Text size="xs" c="dimmed" className="cut">
          {file}
        </Text>
      </div>
    ),
  },
  {
    key: 'what',
    title: 'Change',
    width: 'minmax(0, 2fr)',
    minWindow: 640,
    render: rule => whatText(rule),
  },
]

function whatText({ kind, members, level, severity }: ComparedRule): string {
  if (kind === 'changed') return members.map(member => memberWords[member] ?? member).join(', ')
  return [level === 0 || level === undefined ? '' : `PL${level}`, (severity ?? '').toLowerCase()]
    .filter(text => text !== '')
    .join(', ')
}
