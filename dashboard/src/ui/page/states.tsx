import { Alert, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { FailureText } from '../display/failure-text.tsx'
import { AlertIcon } from '../display/icons.tsx'

interface EmptyProps {
  readonly title: string
  readonly text?: ReactNode
  readonly action?: ReactNode
}

/** Empty state of a list or page, with the next step. */
export function EmptyState({ title, text, action }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md">
      <Title order={2} size="h3" ta="center">
        {title}
      </Title>
      {text === undefined ? null : (
        <Text size="sm" c="dimmed" ta="center" maw={480}>
          {text}
        </Text>
      )}
      {action}
    </Stack>
  )
}

/** Error state of a failed load. */
export function FailureState({ title, error }: { readonly title: string; readonly error: unknown }) {
  return (
    <Alert color="red" title={title} icon={<AlertIcon />} role="alert">
      <FailureText error={error} />
    </Alert>
  )
}
