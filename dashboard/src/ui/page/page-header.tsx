import { Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

interface Props {
  readonly title: string
  /** One sentence about the page. */
  readonly text?: ReactNode
  readonly actions?: ReactNode
}

export function PageHeader({ title, text, actions }: Props) {
  useDocumentTitle(`${title} · Sluice`)
  return (
    <Group justify="space-between" align="flex-start" gap="md" mb="lg" wrap="wrap">
      <Stack gap={4} flex="1 1 240px" miw={0}>
        <Title order={1} className="wrap">
          {title}
        </Title>
        {text === undefined ? null : (
          <Text c="dimmed" size="sm" maw={720}>
            {text}
          </Text>
        )}
      </Stack>
      {actions === undefined ? null : <Group gap="xs">{actions}</Group>}
    </Group>
  )
}
