import { Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  readonly opened: boolean
  readonly onToggle: () => void
  readonly children: ReactNode
}

/** Shows and hides the content below. */
export function DisclosureButton({ opened, onToggle, children }: Props) {
  return (
    <UnstyledButton type="button" onClick={onToggle} aria-expanded={opened} w="fit-content">
      <Text size="sm" c="var(--mantine-color-anchor)">
        {opened ? '▾' : '▸'} {children}
      </Text>
    </UnstyledButton>
  )
}
