import { Autocomplete, Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useZoneSearch } from '../../domain/zone/zone-search.ts'
import { TimeRangePicker } from '../../ui/address/time-range.tsx'
import { fallbackRange, type useAuditFilters } from './filters.ts'
import { actions, resources } from './words.ts'

type Filters = ReturnType<typeof useAuditFilters>

export function FilterBar({ filters }: { readonly filters: Filters }) {
  const { action, setAction, resource, setResource, isFiltered } = filters
  // The fields show typed text at once; the address follows, and new addresses update the fields.
  const actor = useTyped(filters.actor, filters.setActor)
  const zone = useTyped(filters.zone, filters.setZone)
  return (
    <Group gap="sm" align="flex-end" role="search" aria-label="Filter audit trail">
      <TextInput
        label="Actor"
        placeholder="Email, IP address or token ID"
        w={{ base: '100%', xs: 250 }}
        value={actor.typed}
        onChange={event => actor.set(event.currentTarget.value)}
        spellCheck={false}
      />
      <NativeSelect
        label="Action"
        value={action}
        onChange={event => setAction(event.currentTarget.value)}
        data={[{ value: '', label: 'All' }, ...actions]}
      />
      <NativeSelect
        label="Resource"
        value={resource}
        onChange={event => setResource(event.currentTarget.value)}
        data={[{ value: '', label: 'All' }, ...resources]}
      />
      <ZoneInput value={zone.typed} onChange={zone.set} />
      {isFiltered ? (
        <Button variant="subtle" onClick={filters.clear}>
          Clear
        </Button>
      ) : null}
      <TimeRangePicker fallback={fallbackRange} />
    </Group>
  )
}

function ZoneInput({ value, onChange }: { readonly value: string; onChange(value: string): void }) {
  const [opened, setOpened] = useState(false)
  const found = useZoneSearch(value, opened)
  return (
    <Autocomplete
      label="Zone"
      placeholder="All"
      w={{ base: '100%', xs: 200 }}
      value={value}
      onChange={onChange}
      onDropdownOpen={() => setOpened(true)}
      data={(found.data?.result ?? []).map(({ name }) => name)}
      filter={({ options }) => options}
      spellCheck={false}
      comboboxProps={{ portalProps: { target: '#content' } }}
    />
  )
}

function useTyped(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState(value)
  const [settled] = useDebouncedValue(typed, 300)
  useEffect(() => {
    setTyped(value)
  }, [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typed text goes into the address
  useEffect(() => {
    if (settled !== value && settled === typed) onChange(settled)
  }, [settled])
  return { typed, set: setTyped }
}
