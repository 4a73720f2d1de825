import { Paper, Stack, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** A part of a form with a heading. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <Paper
      component="section"
      aria-labelledby={id}
      withBorder
      p="md"
      style={{ borderColor: 'var(--sluice-line)', background: 'var(--sluice-raised)' }}
    >
      <Stack gap="md">
        <Title id={id} order={2} size="h3">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  )
}
