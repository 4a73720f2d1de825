import { Checkbox, Group, TextInput } from '@mantine/core'
import type { RequestDraft } from './request-draft.ts'

interface Props {
  readonly draft: RequestDraft
  readonly onChange: (draft: RequestDraft) => void
}

/** Who asks: what is in no command and in no request text. */
export function ClientFields({ draft, onChange }: Props) {
  return (
    <Group gap="md" align="flex-end" wrap="wrap">
      <TextInput
        label="Client IP"
        placeholder="192.0.2.1"
        value={draft.clientIp}
        onChange={event => onChange({ ...draft, clientIp: event.currentTarget.value.trim() })}
        flex="1 1 160px"
        maw={240}
      />
      <TextInput
        label="Country"
        placeholder="That of the address"
        value={draft.country}
        maxLength={2}
        onChange={event => onChange({ ...draft, country: event.currentTarget.value.trim().toUpperCase() })}
        error={/^(?:[A-Z][A-Z0-9])?$/.test(draft.country) ? undefined : 'Two letters, such as DE'}
        flex="1 1 160px"
        maw={240}
      />
      <Checkbox
        label="The client has solved its challenge"
        checked={draft.cleared}
        onChange={event => onChange({ ...draft, cleared: event.currentTarget.checked })}
        pb={8}
      />
    </Group>
  )
}
