import { Button, Combobox, Loader, ScrollArea, Text, useCombobox } from '@mantine/core'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../api/hooks.ts'
import { SwitchIcon } from '../ui/icons.tsx'
import { useZoneSearch } from '../ui/zone-search.ts'

/** Goes from zone to zone, staying on the same page. The API searches: there can be ten thousand. */
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
  const found = zones.data?.result ?? []
  const more = (zones.data?.page?.total_count ?? 0) - found.length
  const name = zoneId === undefined ? 'Choose a zone' : (zone.data?.name ?? '…')
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
        <Combobox.Options aria-label="Zones">
          <ScrollArea.Autosize mah={320} type="auto">
            {found.map(({ id, name }) => (
              <Combobox.Option key={id} value={id} active={id === zoneId}>
                <div className="cut">{name}</div>
              </Combobox.Option>
            ))}
            {found.length === 0 && !zones.isFetching ? (
              <Combobox.Empty>No zone has this in its name</Combobox.Empty>
            ) : null}
          </ScrollArea.Autosize>
        </Combobox.Options>
        {more > 0 ? (
          <Combobox.Footer>
            <Text size="xs" c="dimmed">
              {more.toLocaleString()} more: type a part of the name
            </Text>
          </Combobox.Footer>
        ) : null}
      </Combobox.Dropdown>
    </Combobox>
  )
}
