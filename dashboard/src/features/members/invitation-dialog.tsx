import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { momentText } from '../../ui/display/local-time.ts'
import type { Invited } from './invited.ts'

interface Props {
  /** Undefined while closed. */
  readonly invited: Invited | undefined
  onClose(): void
}

/** The only time that an invitation is shown. */
export function InvitationDialog({ invited, onClose }: Props) {
  return (
    <Modal
      opened={invited !== undefined}
      onClose={onClose}
      title="Hand over the invitation"
      size="lg"
      closeOnClickOutside={false}
    >
      {invited === undefined ? null : (
        <Stack>
          <Text size="sm">
            Sluice sends no e-mail. Give this link to {invited.email} over a channel that you trust: the first
            browser that opens it sets the password. It is shown only once, and is valid until{' '}
            {momentText(invited.invitation.expires_on)}.
          </Text>
          <CodeBlock text={`${location.origin}${invited.invitation.path}`} what="invitation" />
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
