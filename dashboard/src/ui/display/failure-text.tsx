import { Stack, Text } from '@mantine/core'
import { ApiFailure, adviceOn } from '../../api/failure.ts'

/** An error with its code, and how to resolve it. */
export function FailureText({ error }: { readonly error: unknown }) {
  const entries = error instanceof ApiFailure ? error.entries : [{ message: String(error) }]
  const advice = adviceOn(error)
  return (
    <Stack gap={4}>
      {entries.map(entry => (
        <Text
          key={`${entry.code} ${entry.message}`}
          size="sm"
          className="wrap"
          // Faults in expressions have a caret line below the text.
          {...(entry.message.includes('\n') ? { ff: 'monospace', style: { whiteSpace: 'pre-wrap' } } : {})}
        >
          {sentence(entry.message)}
          {entry.code === undefined ? '' : ` (code ${entry.code})`}
          {entry.source?.pointer ? ` — at ${entry.source.pointer}` : ''}
        </Text>
      ))}
      {advice === '' ? null : <Text size="sm">{advice}</Text>}
    </Stack>
  )
}

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1)
}
