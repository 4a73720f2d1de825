import { Group, NativeSelect, TextInput } from '@mantine/core'
import { type RuleRow, tagCounts } from '../../managed/rule-search.ts'
import { SearchIcon } from '../../ui/icons.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { useUrlText } from '../../ui/use-url-text.ts'

/** Search and filters; all of them are in the address. */
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
          { value: 'on', label: 'On' },
          { value: 'off', label: 'Off' },
          { value: 'own', label: 'With a switch of its own' },
          { value: 'draft', label: 'Different in the draft' },
        ]}
      />
      <Choice
        name="sort"
        label="Order"
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
