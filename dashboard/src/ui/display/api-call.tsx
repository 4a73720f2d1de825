import { Collapse, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useId } from 'react'
import type { Call } from '../../api/client.ts'
import { CodeBlock } from './code-block.tsx'

interface Props {
  readonly call: Call
  readonly title?: string
}

/** The API call of a control as a shell command, without the token. */
export function ApiCall({ call, title = 'API call' }: Props) {
  const [opened, { toggle }] = useDisclosure(false)
  const id = useId()
  return (
    <Stack gap="xs">
      <UnstyledButton onClick={toggle} aria-expanded={opened} aria-controls={id} w="fit-content">
        <Text size="sm" c="var(--mantine-color-anchor)">
          {opened ? '▾' : '▸'} {title}
        </Text>
      </UnstyledButton>
      <Collapse expanded={opened} id={id}>
        <CodeBlock text={curlOf(call)} what="API call" />
      </Collapse>
    </Stack>
  )
}

/** Quotes for a shell; quotes inside the body are kept. */
export function curlOf({ method, path, body, ifMatch }: Call): string {
  const parts = [
    'curl',
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : ['-X', method]),
  ]
  const lines = [`${parts.join(' ')} ${quoted(`${location.origin}/client/v4${path}`)}`]
  lines.push('-H "Authorization: Bearer $TOKEN"')
  if (ifMatch !== undefined) lines.push(`-H 'If-Match: "${ifMatch}"'`)
  if (body !== undefined) lines.push(`--json ${quoted(JSON.stringify(body, undefined, 2))}`)
  return lines.join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
