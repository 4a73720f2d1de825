import { Alert, Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { CodeBlock } from '../../../ui/display/code-block.tsx'
import { AlertIcon, KeyIcon } from '../../../ui/display/icons.tsx'
import type { PayloadKey, PayloadState } from './use-payload.ts'

interface Props {
  readonly payloadKey: PayloadKey
  readonly payload: PayloadState
}

/** Decrypts matched values with a key that stays in the browser. */
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
        {data.rules.length === 0 ? <CodeBlock text={data.text} what="payload" /> : null}
        <Group gap="sm">
          <Text size="sm" c="dimmed" role="status">
            Payload decrypted in this browser.
          </Text>
          <Button size="compact-sm" variant="subtle" onClick={() => set('')}>
            Forget key
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
            description="The matched values are encrypted. The key stays in the memory of this page."
            placeholder="Private key, or the content of keys.json"
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
          <Alert color="red" icon={<AlertIcon />} role="alert" title="Decryption failed">
            {error.message}
          </Alert>
        )}
      </Stack>
    </form>
  )
}
