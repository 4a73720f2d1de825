import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface Props {
  readonly title: string
  readonly text?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of a page with a heading. */
export function Section({ title, text, actions, children }: Props) {
  const id = useId()
  return (
    <Paper
      component="section"
      aria-labelledby={id}
      withBorder
      p={{ base: 'md', sm: 'lg' }}
      style={{ borderColor: 'var(--sluice-line)', background: 'var(--sluice-raised)' }}
    >
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div>
            <Title order={2} id={id}>
              {title}
            </Title>
            {text === undefined ? null : (
              <Text size="sm" c="dimmed" mt={2} maw={720}>
                {text}
              </Text>
            )}
          </div>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}
