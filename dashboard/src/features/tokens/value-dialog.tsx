import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from '../../ui/display/code-block.tsx'

interface Props {
  readonly name: string
  /** Undefined while closed. */
  readonly value: string | undefined
  readonly owner: 'user' | 'account'
  readonly accountId: string
  onClose(): void
}

/** The only time that the value of a token is shown. */
export function ValueDialog(props: Props) {
  const { name, value, onClose } = props
  return (
    <Modal
      opened={value !== undefined}
      onClose={onClose}
      title={`Save the value of ${name}`}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      {value === undefined ? null : <Content {...props} value={value} />}
    </Modal>
  )
}

function Content({ value, owner, accountId, onClose }: Props & { readonly value: string }) {
  const [kept, setKept] = useState(false)
  const path = owner === 'user' ? '/user/tokens/verify' : `/accounts/${accountId}/tokens/verify`
  return (
    <Stack>
      <Text size="sm">
        The value is shown only once: Sluice stores its hash. Copy it to the client or a password manager.
      </Text>
      <CodeBlock text={value} what="value" />
      <Text size="sm">Test the token:</Text>
      <CodeBlock
        text={`curl -s '${location.origin}/client/v4${path}' \\\n  -H 'Authorization: Bearer ${value}'`}
        what="command"
      />
      <Checkbox
        label="I have saved the value"
        checked={kept}
        onChange={event => setKept(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!kept} onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
