import { ActionIcon } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { CheckIcon, CopyIcon } from '../display/icons.tsx'
import { Tooltip } from './tooltip.tsx'

/** @param what the copied text, such as “command” */
export function CopyButton({
  text,
  what,
}: {
  readonly text: string | (() => string)
  readonly what: string
}) {
  const clipboard = useClipboard({ timeout: 1500 })
  const label = clipboard.copied ? 'Copied' : `Copy ${what}`
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="dimmed"
        aria-label={label}
        onClick={() => clipboard.copy(typeof text === 'string' ? text : text())}
      >
        {clipboard.copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
      </ActionIcon>
    </Tooltip>
  )
}
