import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { focusContent } from '../page/focus-content.ts'

interface Props {
  readonly opened: boolean
  readonly title: string
  /** The consequences, and whether they can be undone. */
  readonly children: ReactNode
  /** The verb of the action, such as “Delete zone”. */
  readonly action: string
  readonly danger?: boolean
  readonly pending?: boolean
  onConfirm(): void
  onClose(): void
}

export function ConfirmDialog(props: Props) {
  const { opened, title, children, action, danger = false, pending = false, onConfirm, onClose } = props
  return (
    <Modal opened={opened} onClose={onClose} onExitTransitionEnd={focusContent} title={title}>
      <Stack>
        <div>{children}</div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color={danger ? 'red.8' : 'brand'} loading={pending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
