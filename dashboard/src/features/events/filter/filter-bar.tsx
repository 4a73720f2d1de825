import { Button, Group, NativeSelect, Pill, Popover, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FilterIcon, SearchIcon } from '../../../ui/display/icons.tsx'
import type { RuleNames } from '../use-rule-names.ts'
import { actionLabel, knownActions, knownSources, sourceLabel } from '../words.ts'
import { type FilterName, filterLabels, filterNames, readRayId, typedValue } from './filter.ts'
import type { FilterState } from './use-event-filter.ts'
import { valueLabel } from './value-label.ts'

interface Props {
  readonly state: FilterState
  readonly names: RuleNames
  readonly onWhy: (rayId: string) => void
}

/** Active filters, a form for another one, and the search for a Ray ID. */
export function FilterBar({ state, names, onWhy }: Props) {
  const { filter, isEmpty, set, clear } = state
  return (
    <Group justify="space-between" gap="sm" align="flex-start">
      <Group gap="xs" flex="1 1 300px">
        <AddFilter onAdd={set} />
        {filterNames.map(name => {
          const value = filter[name]
          if (value === undefined) return null
          const text = `${filterLabels[name]}: ${valueLabel(name, value, '', names)}`
          return (
            <Pill
              key={name}
              size="md"
              maw={360}
              withRemoveButton
              onRemove={() => set(name, '')}
              removeButtonProps={{
                'aria-label': `Remove filter ${text}`,
                'aria-hidden': false,
                tabIndex: 0,
              }}
            >
              {text}
            </Pill>
          )
        })}
        {isEmpty ? null : (
          <Button variant="subtle" size="compact-sm" onClick={clear}>
            Remove all
          </Button>
        )}
      </Group>
      <WhySearch onWhy={onWhy} />
    </Group>
  )
}

function AddFilter({ onAdd }: { readonly onAdd: FilterState['set'] }) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus withArrow position="bottom-start">
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<FilterIcon size={14} />}
          onClick={() => setOpened(!opened)}
        >
          Add filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <FilterForm
          onAdd={(name, value) => {
            setOpened(false)
            onAdd(name, value)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

const choices: { readonly [N in FilterName]?: readonly { value: string; label: string }[] } = {
  action: knownActions.map(value => ({ value, label: actionLabel(value) })),
  source: knownSources.map(value => ({ value, label: sourceLabel(value) })),
}

const samples: { readonly [N in FilterName]?: string } = {
  rule_id: '6179ae15870a4bb7b2d480d4843b323c',
  matched_rule_id: '5de7edfa648c4d6891dc3e7f84534ffa',
  path: '/search',
  client_ip: '198.51.100.7',
  country: 'nz',
  host: 'shop.example',
  method: 'POST',
  user_agent: 'curl/8',
  ray_id: '9f2d61e0c3a4b587',
}

function FilterForm({ onAdd }: { readonly onAdd: FilterState['set'] }) {
  const [name, setName] = useState<FilterName>('action')
  const offered = choices[name]
  const [text, setText] = useState('')
  const [insists, setInsists] = useState(false)
  const value = typedValue(name, offered === undefined ? text : text || offered[0]!.value)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setInsists(true)
    if (value !== undefined) onAdd(name, value)
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm" w={260}>
        <NativeSelect
          label="Field"
          data={filterNames.map(each => ({ value: each, label: filterLabels[each] }))}
          value={name}
          onChange={event => {
            setName(event.currentTarget.value as FilterName)
            setText('')
            setInsists(false)
          }}
          data-autofocus
        />
        {offered === undefined ? (
          <TextInput
            label="equals"
            placeholder={samples[name] ?? ''}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
            error={insists && value === undefined ? faultOf(name) : undefined}
            spellCheck={false}
            autoComplete="off"
          />
        ) : (
          <NativeSelect
            label="is"
            data={offered.map(each => ({ ...each }))}
            value={text || offered[0]!.value}
            onChange={event => setText(event.currentTarget.value)}
          />
        )}
        {name === 'rule_id' || name === 'matched_rule_id' ? (
          <Text size="xs" c="dimmed">
            The rule’s ID in the API. You can also select a rule in the lists below.
          </Text>
        ) : null}
        <Button type="submit">Apply</Button>
      </Stack>
    </form>
  )
}

function faultOf(name: FilterName): string {
  return name === 'ray_id' ? 'Enter 16 hexadecimal digits' : 'Enter a value'
}

/** For visitors who report the Ray ID of their error page. */
function WhySearch({ onWhy }: { readonly onWhy: (rayId: string) => void }) {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const rayId = readRayId(text)
    setFault(rayId === undefined ? 'A Ray ID has 16 hexadecimal digits' : undefined)
    if (rayId !== undefined) onWhy(rayId)
  }
  return (
    <form onSubmit={onSubmit}>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <TextInput
          size="xs"
          aria-label="Ray ID of a request"
          placeholder="Ray ID of a request"
          leftSection={<SearchIcon size={14} />}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          error={fault}
          spellCheck={false}
          autoComplete="off"
          w={210}
        />
        <Button size="xs" type="submit" variant="default">
          Why?
        </Button>
      </Group>
    </form>
  )
}
