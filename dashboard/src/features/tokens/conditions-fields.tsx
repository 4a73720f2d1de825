import { Button, Group, Stack, TagsInput, TextInput } from '@mantine/core'
import { localText } from '../../ui/display/local-time.ts'
import type { TokenDraft } from './draft.ts'

interface Props {
  readonly draft: TokenDraft
  readonly faultAt: (pointer: string) => string | undefined
  onChange(change: Partial<TokenDraft>): void
}

const dayMs = 86_400_000
const choices = [
  { days: 30, label: 'In 30 days' },
  { days: 90, label: 'In 90 days' },
  { days: 365, label: 'In a year' },
]

/** Expiry and client addresses of a token. */
export function ConditionsFields({ draft, faultAt, onChange }: Props) {
  const { endsAt, onlyFrom, neverFrom } = draft
  const isOver = endsAt !== undefined && endsAt <= Date.now()
  return (
    <Stack gap="md">
      <Group gap="xs" align="flex-end">
        <TextInput
          type="datetime-local"
          label="Expires"
          description="Without a date, the token never expires."
          w={{ base: '100%', xs: 300 }}
          value={endsAt === undefined ? '' : localText(endsAt)}
          error={isOver ? 'This date has passed' : faultAt('/expires_on')}
          onChange={event => {
            const ms = Date.parse(event.currentTarget.value)
            onChange({ endsAt: Number.isNaN(ms) ? undefined : ms })
          }}
        />
        {choices.map(({ days, label }) => (
          <Button
            key={days}
            variant="default"
            onClick={() => onChange({ endsAt: Math.ceil((Date.now() + days * dayMs) / 60_000) * 60_000 })}
          >
            {label}
          </Button>
        ))}
        <Button
          variant="subtle"
          disabled={endsAt === undefined}
          onClick={() => onChange({ endsAt: undefined })}
        >
          Never
        </Button>
      </Group>
      <TagsInput
        label="Allowed client IPs"
        description="IP addresses and CIDR blocks; press Enter after each. Empty allows all."
        placeholder={onlyFrom.length === 0 ? '192.0.2.0/24' : ''}
        value={[...onlyFrom]}
        onChange={value => onChange({ onlyFrom: value })}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        error={faultAt('/condition/request_ip/in')}
      />
      <TagsInput
        label="Denied client IPs"
        description="Exceptions to the allowed addresses."
        value={[...neverFrom]}
        onChange={value => onChange({ neverFrom: value })}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        error={faultAt('/condition/request_ip/not_in')}
      />
    </Stack>
  )
}
