import { Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface Props {
  readonly title: string
  readonly text?: ReactNode
  readonly children: ReactNode
}

/** One setting: what it is, what it means, and its controls. */
export function Section({ title, text, children }: Props) {
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
        {children}
      </Stack>
    </Paper>
  )
}
