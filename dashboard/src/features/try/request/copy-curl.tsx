import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { CheckIcon, CopyIcon } from '../../../ui/display/icons.tsx'
import { curlOf } from '../read/curl-text.ts'
import type { RequestDraft } from '../request-draft.ts'

export function CopyCurl({ draft }: { readonly draft: RequestDraft | undefined }) {
  const { copied, copy } = useClipboard({ timeout: 1500 })
  return (
    <Button
      variant="default"
      leftSection={copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
      disabled={draft === undefined}
      onClick={() => draft !== undefined && copy(curlOf(draft))}
    >
      {copied ? 'Copied' : 'Copy as curl'}
    </Button>
  )
}
