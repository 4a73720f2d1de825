import { Paper, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  readonly label: string
  /** Undefined while loading. */
  readonly value: ReactNode | undefined
  readonly note?: ReactNode
  readonly tone?: 'good' | 'warn' | 'bad'
}

/** One key number with a note. */
export function Figure({ label, value, note, tone }: Props) {
  return (
    <Paper
      withBorder
      p="md"
      style={{ borderColor: 'var(--sluice-line)', background: 'var(--sluice-raised)' }}
    >
      <Text size="xs" fw={600} c="dimmed">
        {label}
      </Text>
      {value === undefined ? (
        <Skeleton h={28} mt={6} w="50%" />
      ) : (
        <Text
          fz="1.375rem"
          fw={600}
          lh={1.4}
          mt={2}
          c={tone === undefined ? 'inherit' : `var(--sluice-${tone})`}
        >
          {value}
        </Text>
      )}
      {note === undefined ? null : (
        <Text size="xs" c="dimmed" mt={2}>
          {note}
        </Text>
      )}
    </Paper>
  )
}
