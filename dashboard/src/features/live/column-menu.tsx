import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { useState } from 'react'
import { ColumnsIcon } from '../../ui/display/icons.tsx'
import { liveColumns } from './columns.ts'

interface Props {
  readonly chosen: readonly string[]
  onChange(fields: readonly string[]): void
}

export function ColumnMenu({ chosen, onChange }: Props) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus position="bottom-end" withArrow>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<ColumnsIcon size={16} />}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="xs">
          {liveColumns.map(({ field, title }) => (
            <Checkbox
              key={field}
              label={title}
              checked={chosen.includes(field)}
              disabled={chosen.length === 1 && chosen[0] === field}
              onChange={event => {
                const others = chosen.filter(one => one !== field)
                const wanted = event.currentTarget.checked ? [...others, field] : others
                onChange(liveColumns.map(column => column.field).filter(one => wanted.includes(one)))
              }}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
