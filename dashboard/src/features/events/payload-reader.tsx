import { Alert, Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { CodeBlock } from '../../ui/code-block.tsx'
import { AlertIcon, KeyIcon } from '../../ui/icons.tsx'
import type { PayloadKey, PayloadState } from './use-payload.ts'

interface Props {
  readonly payloadKey: PayloadKey
  readonly payload: PayloadState
}

/** Reads what matched, with a key that does not leave the browser. */
export function PayloadReader({ payloadKey: { value, set }, payload }: Props) {
  const [typed, setTyped] = useState('')
  const { data, error, isFetching } = payload
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() !== '') set(typed.trim())
  }
  if (data !== undefined)
    return (
      <Stack gap="xs">
        {data.rules.length === 0 ? <CodeBlock text={data.text} what="the payload" /> : null}
        <Group gap="sm">
          <Text size="sm" c="dimmed" role="status">
            The payload is decrypted, in this browser.
          </Text>
          <Button size="compact-sm" variant="subtle" onClick={() => set('')}>
            Forget the key
          </Button>
        </Group>
      </Stack>
    )
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="xs">
        <Group gap="xs" align="flex-end">
          <PasswordInput
            label="Private key"
            description="What matched was recorded encrypted. The key stays in the memory of this page."
            placeholder="The key, or keys.json whole"
            leftSection={<KeyIcon size={16} />}
            value={typed}
            onChange={event => setTyped(event.currentTarget.value)}
            autoComplete="off"
            flex="1 1 240px"
          />
          <Button type="submit" loading={isFetching}>
            Decrypt
          </Button>
        </Group>
        {error === null || value === '' ? null : (
          <Alert color="red" icon={<AlertIcon />} role="alert" title="It was not decrypted">
            {error.message}
          </Alert>
        )}
      </Stack>
    </form>
  )
}
