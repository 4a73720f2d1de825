import { Autocomplete, Checkbox, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { headersOfText, headersText } from '../address-state.ts'
import { reading } from '../read/read.ts'
import { methods, type RequestDraft } from '../request-draft.ts'
import { ClientFields } from './client-fields.tsx'

interface Props {
  readonly draft: RequestDraft
  readonly onChange: (draft: RequestDraft) => void
}

const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

export function RequestForm({ draft, onChange }: Props) {
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-start" wrap="wrap">
        <Autocomplete
          label="Method"
          data={[...methods]}
          filter={({ options }) => options}
          value={draft.method}
          onChange={method => onChange({ ...draft, method: method.trim().toUpperCase() })}
          w={130}
        />
        <NativeSelect
          label="Version"
          data={['HTTP/1.1', 'HTTP/1.0']}
          value={draft.protocol}
          onChange={event => onChange({ ...draft, protocol: event.currentTarget.value })}
          w={120}
        />
        <TextInput
          label="URL"
          placeholder="http://shop.example/path?a=b"
          value={draft.url}
          onChange={event => onChange({ ...draft, url: event.currentTarget.value.trim() })}
          flex="1 1 320px"
          spellCheck={false}
          autoComplete="off"
          styles={mono}
        />
      </Group>
      <HeadersField draft={draft} onChange={onChange} />
      <Textarea
        label="Body"
        description="Content-Length is added automatically."
        value={draft.body}
        onChange={event => onChange({ ...draft, body: event.currentTarget.value })}
        autosize
        minRows={3}
        maxRows={16}
        spellCheck={false}
        styles={mono}
      />
      {draft.body === '' ? null : (
        <Checkbox
          label="The body is Base64"
          checked={draft.isBase64}
          onChange={event => onChange({ ...draft, isBase64: event.currentTarget.checked })}
        />
      )}
      <ClientFields draft={draft} onChange={onChange} />
    </Stack>
  )
}

/** Keeps typed text while it is not a valid list of headers. */
function HeadersField({ draft, onChange }: Props) {
  const [typed, setTyped] = useState<string>()
  const read = typed === undefined ? undefined : reading(() => headersOfText(typed))
  const isCurrent = read?.ok === true && headersText(read.value) === headersText(draft.headers)
  const isWrong = read?.ok === false
  return (
    <Textarea
      label="Headers"
      description="One “Name: value” per line. Host is added automatically unless you set it."
      placeholder={'User-Agent: Mozilla/5.0\nAccept: text/html'}
      value={typed !== undefined && (isCurrent || isWrong) ? typed : headersText(draft.headers)}
      onChange={event => {
        const text = event.currentTarget.value
        setTyped(text)
        const next = reading(() => headersOfText(text))
        if (next.ok) onChange({ ...draft, headers: next.value })
      }}
      error={isWrong ? read.reason : undefined}
      autosize
      minRows={4}
      maxRows={16}
      spellCheck={false}
      styles={mono}
    />
  )
}
