import { Group, Select, Stack, Textarea } from '@mantine/core'
import type { ResponseDraft } from '../../../domain/ruleset/rules/draft.ts'
import { NumberField } from '../../../ui/controls/number-field.tsx'

const contentMax = 2048

const types = [
  { value: 'default', label: 'Default page' },
  { value: 'text/html', label: 'Custom HTML' },
  { value: 'text/plain', label: 'Custom text' },
  { value: 'application/json', label: 'Custom JSON' },
  { value: 'text/xml', label: 'Custom XML' },
]

const samples: Readonly<Record<string, string>> = {
  'text/html': '<!doctype html>\n<title>Blocked</title>\n<p>This request was blocked.</p>\n',
  'text/plain': 'This request was blocked.\n',
  'application/json': '{"error": "blocked"}\n',
  'text/xml': '<error>blocked</error>\n',
}

interface Props {
  readonly response: ResponseDraft | undefined
  /** Default status: 403, and 429 for rate limits. */
  readonly statusCode: number
  readonly onChange: (response: ResponseDraft | undefined) => void
}

/** Response to blocked requests. */
export function ResponseFields({ response, statusCode, onChange }: Props) {
  const bytes = new TextEncoder().encode(response?.content ?? '').length
  return (
    <Stack gap="sm">
      <Group
        gap="md"
        align="flex-start"
        grow
        preventGrowOverflow={false}
        maw={response === undefined ? 420 : 860}
      >
        <Select
          label="With response type"
          data={types}
          value={response?.contentType ?? 'default'}
          allowDeselect={false}
          onChange={type =>
            onChange(type === null || type === 'default' ? undefined : withType(response, type, statusCode))
          }
        />
        {response === undefined ? null : (
          <NumberField
            label="Response code"
            min={400}
            max={499}
            value={response.statusCode}
            onChange={statusCode => onChange({ ...response, statusCode })}
          />
        )}
      </Group>
      {response === undefined ? null : (
        <Textarea
          label="Response body"
          description={`${bytes.toLocaleString()} of ${contentMax.toLocaleString()} bytes`}
          error={bytes > contentMax ? 'Too long' : undefined}
          autosize
          minRows={3}
          maxRows={14}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={response.content}
          onChange={event => onChange({ ...response, content: event.currentTarget.value })}
        />
      )}
    </Stack>
  )
}

/** Replaces the sample body of the other type; custom bodies stay. */
function withType(before: ResponseDraft | undefined, contentType: string, statusCode: number): ResponseDraft {
  const isOwn = before !== undefined && before.content !== samples[before.contentType]
  return {
    statusCode,
    ...before,
    contentType,
    content: isOwn ? before.content : (samples[contentType] ?? ''),
  }
}
