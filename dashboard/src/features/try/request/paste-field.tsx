import { List, Stack, Text, Textarea } from '@mantine/core'
import type { Read } from '../read/read.ts'
import { targetOf } from '../read/url-text.ts'
import type { RequestDraft } from '../request-draft.ts'
import { ClientFields } from './client-fields.tsx'

interface Props {
  readonly format: 'curl' | 'raw'
  readonly text: string
  readonly onChange: (text: string) => void
  readonly read: Read<RequestDraft> | undefined
  readonly draft: RequestDraft
  readonly onDraft: (draft: RequestDraft) => void
}

const texts = {
  curl: {
    label: 'curl command',
    description:
      'From a terminal, or from a browser’s network panel with “Copy as cURL (bash)”. Referenced files cannot be read.',
    placeholder: `curl 'http://shop.example/search?q=boots' \\\n  -H 'Accept: text/html' \\\n  -b 'session=1'`,
  },
  raw: {
    label: 'Raw HTTP',
    description: 'A request line, headers, an empty line and the body.',
    placeholder:
      'POST /login HTTP/1.1\nHost: shop.example\nContent-Type: application/json\n\n{"name": "joe"}',
  },
} as const

export function PasteField({ format, text, onChange, read, draft, onDraft }: Props) {
  const { label, description, placeholder } = texts[format]
  const failure = read !== undefined && !read.ok ? read.reason : ''
  return (
    <Stack gap="md">
      <Textarea
        label={label}
        description={description}
        placeholder={placeholder}
        value={text}
        onChange={event => onChange(event.currentTarget.value)}
        error={failure === '' ? undefined : failure}
        autosize
        minRows={6}
        maxRows={20}
        spellCheck={false}
        autoComplete="off"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      {read?.ok ? <Summary draft={read.value} notes={read.notes} /> : null}
      <ClientFields draft={draft} onChange={onDraft} />
    </Stack>
  )
}

/** The parsed request, so that users see misunderstandings. */
function Summary({ draft, notes }: { readonly draft: RequestDraft; readonly notes: readonly string[] }) {
  const { method, url, headers, body } = draft
  const target = targetOf(url)
  return (
    <div>
      <Text size="sm" className="wrap">
        <span className="mono">
          {method} {target.length > 200 ? `${target.slice(0, 200)}…` : target}
        </span>
        {`, ${headers.length} ${headers.length === 1 ? 'header' : 'headers'}, ${body === '' ? 'no body' : `body of ${body.length.toLocaleString()} characters`}`}
      </Text>
      {notes.length === 0 ? null : (
        <List size="sm" c="dimmed" mt={4}>
          {notes.map(note => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      )}
    </div>
  )
}
