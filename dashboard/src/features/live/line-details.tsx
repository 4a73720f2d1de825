import { Drawer, Group, Stack, Table, Text } from '@mantine/core'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { liveColumns, textOf } from './columns.ts'
import type { Line } from './line-buffer.ts'

/** All fields of one line. */
export function LineDetails({ line, onClose }: { readonly line: Line | undefined; onClose(): void }) {
  return (
    <Drawer
      opened={line !== undefined}
      onClose={onClose}
      position="right"
      title="Log line"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {line === undefined ? null : (
        <Stack gap="xs">
          <Group justify="flex-end">
            <Text size="sm" c="dimmed">
              JSON
            </Text>
            <CopyButton text={JSON.stringify(line.values, undefined, 2)} what="line" />
          </Group>
          <Table layout="fixed" verticalSpacing={6}>
            <Table.Tbody>
              {Object.entries(line.values).map(([field, value]) => (
                <Table.Tr key={field}>
                  <Table.Th scope="row" fw={500} w="42%" className="wrap">
                    {field}
                  </Table.Th>
                  <Table.Td className="mono wrap">{shownValue(field, value)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Stack>
      )}
    </Drawer>
  )
}

function shownValue(field: string, value: unknown): string {
  if (field === 'EdgeStartTimestamp') {
    const moment = new Date(Number(value) / 1e6)
    return Number.isNaN(moment.getTime()) ? textOf(value) : moment.toISOString()
  }
  return liveColumns.find(column => column.field === field)?.show?.(value) ?? textOf(value)
}
