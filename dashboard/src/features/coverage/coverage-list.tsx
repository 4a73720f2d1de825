import { Box, Group, NativeSelect, Paper, Stack, Text } from '@mantine/core'
import type { Coverage, CoverageItem } from '../../api/types.ts'
import { useUrlState } from '../../ui/address/use-url-state.ts'
import { StatusDot, type Tone } from '../../ui/display/status-dot.tsx'

type Status = CoverageItem['status']

const words: Readonly<Record<Status, string>> = {
  unknown: 'Unknown',
  not_enforced: 'Not enforced',
  partly: 'Partly enforced',
  enforced: 'Enforced',
}
const tones: Readonly<Record<Status, Tone>> = {
  unknown: 'none',
  not_enforced: 'bad',
  partly: 'warn',
  enforced: 'good',
}
const statuses = Object.keys(words) as readonly Status[]

/** The items of one status, or of all; the address holds the choice. */
export function CoverageList({ coverage: { counts, items } }: { readonly coverage: Coverage }) {
  const [status, setStatus] = useUrlState('status', 'all')
  const shown = items.filter(item => status === 'all' || item.status === status)
  const total = statuses.reduce((sum, one) => sum + counts[one], 0)
  return (
    <Stack gap="md">
      <NativeSelect
        label="Status"
        w={{ base: '100%', xs: 240 }}
        value={status}
        onChange={event => setStatus(event.currentTarget.value)}
        data={[
          { value: 'all', label: `All (${total})` },
          ...statuses
            .filter(one => counts[one] > 0)
            .map(one => ({ value: one, label: `${words[one]} (${counts[one]})` })),
        ]}
      />
      <Paper withBorder>
        <ul aria-label="Stored items" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {shown.map(item => (
            <Item key={`${item.type} ${item.status} ${item.id ?? item.name}`} item={item} />
          ))}
        </ul>
      </Paper>
    </Stack>
  )
}

function Item({ item: { type, name, count, status, reason } }: { readonly item: CoverageItem }) {
  return (
    <Group
      component="li"
      align="flex-start"
      gap="sm"
      p="sm"
      style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}
    >
      <Box w={140}>
        <StatusDot tone={tones[status]}>{words[status]}</StatusDot>
      </Box>
      <Stack gap={2} flex="1 1 220px" miw={0}>
        <Text size="sm" fw={500} className="wrap">
          {count === 1 ? name : `${count.toLocaleString()} ${name}`}
        </Text>
        <Text size="xs" c="dimmed" className="wrap">
          {type}
        </Text>
        {reason === null ? null : (
          <Text size="sm" className="wrap">
            {reason}
          </Text>
        )}
      </Stack>
    </Group>
  )
}
