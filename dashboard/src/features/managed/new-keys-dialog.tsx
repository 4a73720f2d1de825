import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import type { PayloadKeys } from './payload-keys.ts'

interface Props {
  readonly keys: PayloadKeys | undefined
  onUse(publicKey: string): void
  onClose(): void
}

/** The only time that a private key is shown. */
export function NewKeysDialog({ keys, onUse, onClose }: Props) {
  return (
    <Modal
      opened={keys !== undefined}
      onClose={onClose}
      title="Save the private key"
      size="lg"
      closeOnClickOutside={false}
    >
      {keys === undefined ? null : <Content keys={keys} onUse={onUse} onClose={onClose} />}
    </Modal>
  )
}

function Content({ keys, onUse, onClose }: Props & { readonly keys: PayloadKeys }) {
  const [kept, setKept] = useState(false)
  return (
    <Stack>
      <Text size="sm">
        This browser created the private key. It is shown only once and stored nowhere. Without it, the data
        encrypted with the public key cannot be decrypted. Save this as keys.json:
      </Text>
      <CodeBlock text={JSON.stringify(keys, undefined, 2)} what="both keys" />
      <Checkbox
        label="I have saved the private key"
        checked={kept}
        onChange={event => setKept(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={!kept} onClick={() => onUse(keys.public_key)}>
          Use public key
        </Button>
      </Group>
    </Stack>
  )
}
