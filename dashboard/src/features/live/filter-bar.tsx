import { Button, Group, NativeSelect, Pill, Popover, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FilterIcon } from '../../ui/display/icons.tsx'
import {
  type Condition,
  conditionFault,
  filterFields,
  filterText,
  type Operator,
  operatorsOf,
  operatorWords,
  readFilter,
} from './filter.ts'

interface Props {
  /** JSON text, in the API's form. */
  readonly filter: string
  onChange(filter: string): void
}

/** Conditions joined by “and”; Sluice filters on the server. */
export function FilterBar({ filter, onChange }: Props) {
  const conditions = readFilter(filter)
  if (conditions === undefined)
    return (
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" className="mono wrap">
          {filter}
        </Text>
        <Button size="xs" variant="default" onClick={() => onChange('')} flex="none">
          Remove filter
        </Button>
      </Group>
    )
  return (
    <Group gap="xs">
      {conditions.map((condition, index) => {
        const text = textOf(condition)
        return (
          <Pill
            key={text}
            size="md"
            withRemoveButton
            removeButtonProps={{
              'aria-label': `Remove filter: ${text}`,
              'aria-hidden': false,
              tabIndex: 0,
            }}
            onRemove={() => onChange(filterText(conditions.filter((_, i) => i !== index)))}
          >
            {text}
          </Pill>
        )
      })}
      <AddCondition
        onAdd={added => {
          const others = conditions.filter(one => textOf(one) !== textOf(added))
          onChange(filterText([...others, added]))
        }}
      />
    </Group>
  )
}

function textOf({ key, operator, value }: Condition): string {
  return `${filterFields[key]?.label ?? key} ${operatorWords[operator]} ${value}`
}

function AddCondition({ onAdd }: { onAdd(condition: Condition): void }) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus withArrow position="bottom-start">
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<FilterIcon size={14} />}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          Add filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Filter">
        <ConditionForm
          onDone={condition => {
            setOpened(false)
            onAdd(condition)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function ConditionForm({ onDone }: { onDone(condition: Condition): void }) {
  const [condition, setCondition] = useState<Condition>({
    key: 'ClientRequestPath',
    operator: 'contains',
    value: '',
  })
  const [tried, setTried] = useState(false)
  const fault = conditionFault(condition)
  const operators = operatorsOf(condition.key)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (fault === undefined) onDone(condition)
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" w={240}>
        <NativeSelect
          label="Field"
          data={Object.entries(filterFields).map(([value, { label }]) => ({ value, label }))}
          value={condition.key}
          onChange={event => {
            const key = event.currentTarget.value
            const allowed = operatorsOf(key)
            const operator = allowed.includes(condition.operator) ? condition.operator : allowed[0]!
            setCondition({ ...condition, key, operator })
          }}
        />
        <NativeSelect
          label="Operator"
          data={operators.map(value => ({ value, label: operatorWords[value] }))}
          value={condition.operator}
          onChange={event => setCondition({ ...condition, operator: event.currentTarget.value as Operator })}
        />
        <TextInput
          label="Value"
          value={condition.value}
          error={tried ? fault : undefined}
          onChange={event => setCondition({ ...condition, value: event.currentTarget.value })}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit">Apply</Button>
      </Stack>
    </form>
  )
}
