import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { PayloadKeys } from '../../managed/payload-keys.ts'
import { CodeBlock } from '../../ui/code-block.tsx'

interface Props {
  readonly keys: PayloadKeys | undefined
  onUse(publicKey: string): void
  onClose(): void
}

/** The one time that a private key is shown. */
export function NewKeysDialog({ keys, onUse, onClose }: Props) {
  return (
    <Modal
      opened={keys !== undefined}
      onClose={onClose}
      title="Keep the private key"
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
        The private key was made in this browser, is shown this once, and is stored nowhere. Without it nobody
        can read what is recorded for the public key. Save this as keys.json:
      </Text>
      <CodeBlock text={JSON.stringify(keys, undefined, 2)} what="both keys" />
      <Checkbox
        label="I have kept the private key"
        checked={kept}
        onChange={event => setKept(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={!kept} onClick={() => onUse(keys.public_key)}>
          Use the public key
        </Button>
      </Group>
    </Stack>
  )
}
