import { Button, Group, Stack, TagsInput, TextInput } from '@mantine/core'
import { localText } from '../../ui/local-time.ts'
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

/** Until when and from where the token works. */
export function ConditionsFields({ draft, faultAt, onChange }: Props) {
  const { endsAt, onlyFrom, neverFrom } = draft
  const isOver = endsAt !== undefined && endsAt <= Date.now()
  return (
    <Stack gap="md">
      <Group gap="xs" align="flex-end">
        <TextInput
          type="datetime-local"
          label="Expires"
          description="Without a date it works until it is disabled or deleted."
          w={{ base: '100%', xs: 300 }}
          value={endsAt === undefined ? '' : localText(endsAt)}
          error={isOver ? 'This is over: the token would not work' : faultAt('/expires_on')}
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
        label="Only from these addresses"
        description="IP addresses and CIDR blocks, Enter behind each. Empty: from everywhere."
        placeholder={onlyFrom.length === 0 ? '192.0.2.0/24' : ''}
        value={[...onlyFrom]}
        onChange={value => onChange({ onlyFrom: value })}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        error={faultAt('/condition/request_ip/in')}
      />
      <TagsInput
        label="Not from these addresses"
        description="Left out of those above."
        value={[...neverFrom]}
        onChange={value => onChange({ neverFrom: value })}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        error={faultAt('/condition/request_ip/not_in')}
      />
    </Stack>
  )
}
