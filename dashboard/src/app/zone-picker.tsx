import { Button, Combobox, Loader, ScrollArea, Text, useCombobox } from '@mantine/core'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../api/hooks.ts'
import { useZoneSearch } from '../domain/zone/zone-search.ts'
import { SwitchIcon } from '../ui/display/icons.tsx'

/** Switches zones and stays on the same page. The API searches, because an account can have ten thousand zones. */
export function ZonePicker({ zoneId }: { readonly zoneId: string | undefined }) {
  const [search, setSearch] = useState('')
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      combobox.focusTarget()
      setSearch('')
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  })
  const zone = useRead(
    'GET /zones/{zone_id}',
    { path: { zone_id: zoneId ?? '' } },
    { enabled: zoneId !== undefined },
  )
  const zones = useZoneSearch(search, combobox.dropdownOpened)
  const navigate = useNavigate()
  const below = useRouterState({
    select: state => /^\/zones\/[^/]+(\/[a-z-]+)?/.exec(state.location.pathname)?.[1] ?? '',
  })
  const name = zoneId === undefined ? 'Select zone' : (zone.data?.name ?? '…')
  return (
    <Combobox
      store={combobox}
      shadow="md"
      onOptionSubmit={id => {
        combobox.closeDropdown()
        void navigate({ to: `/zones/${id}${below}` })
      }}
    >
      <Combobox.Target targetType="button">
        <Button
          variant="default"
          fullWidth
          justify="space-between"
          rightSection={<SwitchIcon size={16} />}
          aria-label={`Zone: ${name}`}
          onClick={() => combobox.toggleDropdown()}
        >
          <span className="cut">{name}</span>
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
          placeholder="Search zones"
          aria-label="Search zones"
          rightSection={zones.isFetching ? <Loader size="xs" /> : null}
        />
        <FoundZones zoneId={zoneId} zones={zones} />
      </Combobox.Dropdown>
    </Combobox>
  )
}

interface FoundProps {
  /** The current zone. */
  readonly zoneId: string | undefined
  readonly zones: ReturnType<typeof useZoneSearch>
}

function FoundZones({ zoneId, zones: { data, isFetching } }: FoundProps) {
  const found = data?.result ?? []
  const more = (data?.page?.total_count ?? 0) - found.length
  return (
    <>
      <Combobox.Options aria-label="Zones">
        <ScrollArea.Autosize mah={320} type="auto">
          {found.map(({ id, name }) => (
            <Combobox.Option key={id} value={id} active={id === zoneId}>
              <div className="cut">{name}</div>
            </Combobox.Option>
          ))}
          {found.length === 0 && !isFetching ? <Combobox.Empty>No matching zones</Combobox.Empty> : null}
        </ScrollArea.Autosize>
      </Combobox.Options>
      {more > 0 ? (
        <Combobox.Footer>
          <Text size="xs" c="dimmed">
            {more.toLocaleString()} more: type to narrow the list
          </Text>
        </Combobox.Footer>
      ) : null}
    </>
  )
}
