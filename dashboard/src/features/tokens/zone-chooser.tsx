import { Combobox, Loader, Pill, PillsInput, Radio, Stack, useCombobox } from '@mantine/core'
import { useState } from 'react'
import { useZoneSearch } from '../../domain/zone/zone-search.ts'
import type { ZoneChoice } from './draft.ts'

interface Props {
  /** Undefined: all zones. */
  readonly zones: readonly ZoneChoice[] | undefined
  onChange(zones: readonly ZoneChoice[] | undefined): void
}

/** All zones of the account, or selected ones. */
export function ZoneChooser({ zones, onChange }: Props) {
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Zones"
        value={zones === undefined ? 'all' : 'some'}
        onChange={value => onChange(value === 'all' ? undefined : [])}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="all" label="All zones of the account" description="Includes future zones." />
          <Radio value="some" label="Selected zones" />
        </Stack>
      </Radio.Group>
      {zones === undefined ? null : <ZonesInput zones={zones} onChange={onChange} />}
    </Stack>
  )
}

function ZonesInput({
  zones,
  onChange,
}: {
  readonly zones: readonly ZoneChoice[]
  onChange: Props['onChange']
}) {
  const [search, setSearch] = useState('')
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const found = useZoneSearch(search, combobox.dropdownOpened)
  const chosen = new Set(zones.map(({ id }) => id))
  const offered = (found.data?.result ?? []).filter(({ id }) => !chosen.has(id))
  const add = (id: string) => {
    const zone = offered.find(each => each.id === id)
    if (zone !== undefined) onChange([...zones, { id, name: zone.name }])
    setSearch('')
  }
  const remove = (id: string) => onChange(zones.filter(zone => zone.id !== id))
  return (
    <Combobox store={combobox} onOptionSubmit={add} portalProps={{ target: '#content' }}>
      <Combobox.DropdownTarget>
        <PillsInput
          label="Zones"
          onClick={() => combobox.openDropdown()}
          rightSection={found.isFetching ? <Loader size="xs" /> : null}
        >
          <Pill.Group>
            <ChosenZones zones={zones} onRemove={remove} />
            <Combobox.EventsTarget>
              <PillsInput.Field
                placeholder="Search zones"
                value={search}
                onFocus={() => combobox.openDropdown()}
                onBlur={() => combobox.closeDropdown()}
                onChange={event => {
                  setSearch(event.currentTarget.value)
                  combobox.openDropdown()
                }}
                onKeyDown={event => {
                  if (event.key !== 'Backspace' || search !== '' || zones.length === 0) return
                  event.preventDefault()
                  remove(zones.at(-1)!.id)
                }}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Offered zones={offered} busy={found.isFetching} />
      </Combobox.Dropdown>
    </Combobox>
  )
}

interface ChosenProps {
  readonly zones: readonly ZoneChoice[]
  onRemove(id: string): void
}

function ChosenZones({ zones, onRemove }: ChosenProps) {
  return zones.map(({ id, name }) => (
    <Pill
      key={id}
      withRemoveButton
      onRemove={() => onRemove(id)}
      removeButtonProps={{ 'aria-label': `Remove ${name}`, 'aria-hidden': false, tabIndex: 0 }}
    >
      {name}
    </Pill>
  ))
}

function Offered({ zones, busy }: { readonly zones: readonly ZoneChoice[]; readonly busy: boolean }) {
  return (
    <Combobox.Options aria-label="Zones" mah={280} style={{ overflowY: 'auto' }}>
      {zones.map(({ id, name }) => (
        <Combobox.Option key={id} value={id}>
          <div className="cut">{name}</div>
        </Combobox.Option>
      ))}
      {zones.length === 0 && !busy ? <Combobox.Empty>No other zones</Combobox.Empty> : null}
    </Combobox.Options>
  )
}
