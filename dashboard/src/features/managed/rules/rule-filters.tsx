import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useUrlState } from '../../../ui/address/use-url-state.ts'
import { useUrlText } from '../../../ui/address/use-url-text.ts'
import { SearchIcon } from '../../../ui/display/icons.tsx'
import { type RuleRow, tagCounts } from './rule-search.ts'

/** Search and filters, all kept in the address. */
export function RuleFilters({ rows }: { readonly rows: readonly RuleRow[] }) {
  const { typed, setTyped } = useUrlText('q')
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        label="Search"
        placeholder="Number, text or tag"
        leftSection={<SearchIcon size={16} />}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        flex="2 1 180px"
      />
      <Choice
        name="tag"
        label="Tag"
        data={[
          { value: '', label: 'Any' },
          ...tagCounts(rows).map(({ tag, count }) => ({ value: tag, label: `${tag} (${count})` })),
        ]}
      />
      <Choice
        name="level"
        label="Level"
        data={[
          { value: '', label: 'Any' },
          ...[1, 2, 3, 4].map(level => ({ value: String(level), label: `PL${level}` })),
        ]}
      />
      <Choice
        name="state"
        label="State"
        fallback="all"
        data={[
          { value: 'all', label: 'Any' },
          { value: 'on', label: 'Enabled' },
          { value: 'off', label: 'Disabled' },
          { value: 'own', label: 'With a rule override' },
          { value: 'draft', label: 'Changed in the draft' },
        ]}
      />
      <Choice
        name="sort"
        label="Sort by"
        fallback="number"
        data={[
          { value: 'number', label: 'Number' },
          { value: 'day', label: 'Hits in 24 hours' },
          { value: 'week', label: 'Hits in 7 days' },
          { value: 'share', label: 'False positives' },
        ]}
      />
    </Group>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly fallback?: string
  readonly data: readonly { readonly value: string; readonly label: string }[]
}

function Choice({ name, label, fallback = '', data }: ChoiceProps) {
  const [value, setValue] = useUrlState(name, fallback)
  return (
    <NativeSelect
      label={label}
      value={value}
      onChange={event => setValue(event.currentTarget.value)}
      data={[...data]}
      flex="1 1 120px"
    />
  )
}
