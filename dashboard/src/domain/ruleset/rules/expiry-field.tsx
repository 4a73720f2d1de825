import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { localText, secondsOf } from './expiry.ts'

interface Props {
  readonly endsAt: number | undefined
  readonly onChange: (endsAt: number | undefined) => void
}

const dayS = 86_400
const choices = [1, 7, 30]

/** The rule's end date. In the API it is a condition on the time of the request. */
export function ExpiryField({ endsAt, onChange }: Props) {
  const isOver = endsAt !== undefined && endsAt * 1000 <= Date.now()
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end">
        <TextInput
          type="datetime-local"
          label="Expires"
          description="Without a date, the rule never expires."
          w={{ base: '100%', xs: 300 }}
          value={endsAt === undefined ? '' : localText(endsAt)}
          error={isOver ? 'This date has passed: the rule no longer matches' : undefined}
          onChange={event => onChange(secondsOf(event.currentTarget.value))}
        />
        {choices.map(days => (
          <Button
            key={days}
            variant="default"
            size="sm"
            onClick={() => onChange(Math.ceil((Date.now() / 1000 + days * dayS) / 60) * 60)}
          >
            {days === 1 ? 'In a day' : `In ${days} days`}
          </Button>
        ))}
        <Button variant="subtle" disabled={endsAt === undefined} onClick={() => onChange(undefined)}>
          Never
        </Button>
      </Group>
      {endsAt === undefined ? null : (
        <Text size="xs" c="dimmed">
          Added to the expression as its last condition: http.request.timestamp.sec lt {endsAt}
        </Text>
      )}
    </Stack>
  )
}
