import { Checkbox, Group, TextInput } from '@mantine/core'
import type { RequestDraft } from '../request-draft.ts'

interface Props {
  readonly draft: RequestDraft
  readonly onChange: (draft: RequestDraft) => void
}

/** Properties of the client, which commands and request texts lack. */
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
        placeholder="From the IP address"
        value={draft.country}
        maxLength={2}
        onChange={event => onChange({ ...draft, country: event.currentTarget.value.trim().toUpperCase() })}
        error={/^(?:[A-Z][A-Z0-9])?$/.test(draft.country) ? undefined : 'Enter two letters, such as DE'}
        flex="1 1 160px"
        maw={240}
      />
      <Checkbox
        label="The client has passed a challenge"
        checked={draft.cleared}
        onChange={event => onChange({ ...draft, cleared: event.currentTarget.checked })}
        pb={8}
      />
    </Group>
  )
}
