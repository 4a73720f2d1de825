import {
  Button,
  Checkbox,
  Collapse,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { usesLogpullOptions } from '../draft.ts'
import { amountFault, amounts } from './steps.ts'
import type { StepProps } from './wizard.tsx'

const times = [
  { value: 'rfc3339', label: 'RFC 3339, seconds: 2026-05-01T10:00:00Z' },
  { value: 'rfc3339ms', label: 'RFC 3339, milliseconds: …:00.123Z' },
  { value: 'rfc3339ns', label: 'RFC 3339, nanoseconds: …:00.123456789Z' },
  { value: 'unix', label: 'Unix seconds: 1777629600' },
  { value: 'unixnano', label: 'Unix nanoseconds: 1777629600123456789' },
] as const

/** Texts around and between; what stands there when they are left out depends on the type. */
const texts = [
  { key: 'batch_prefix', label: 'Before each batch', ndjson: '', csv: '' },
  { key: 'batch_suffix', label: 'After each batch', ndjson: '', csv: '' },
  { key: 'record_prefix', label: 'Before each record', ndjson: '{', csv: '' },
  { key: 'record_suffix', label: 'After each record', ndjson: '}\n', csv: '\n' },
  { key: 'record_delimiter', label: 'Between records', ndjson: '', csv: '' },
  { key: 'field_delimiter', label: 'Between fields', ndjson: ',', csv: ',' },
] as const

/** How lines look, and when a batch is full. */
export function FormatStep({ job, draft, dataset, change }: StepProps) {
  const { options } = draft
  const set = (key: string, value: unknown) => {
    const { [key]: _, ...rest } = options
    change({ options: value === undefined ? rest : { ...rest, [key]: value } })
  }
  const type = options['output_type'] === 'csv' ? 'csv' : 'ndjson'
  const isSpecial = [...texts.map(({ key }) => key), 'record_template'].some(
    key => typeof options[key] === 'string',
  )
  const [opened, { toggle }] = useDisclosure(isSpecial)
  return (
    <Stack gap="lg">
      {job !== undefined && usesLogpullOptions(job) ? (
        <Text size="sm" c="dimmed">
          This job has the older logpull_options. A change here or of its fields writes output_options, which
          win over them.
        </Text>
      ) : null}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Lines"
          data={[
            { value: 'ndjson', label: 'JSON, an object a line' },
            { value: 'csv', label: 'CSV' },
          ]}
          value={type}
          onChange={value => set('output_type', value === 'csv' ? 'csv' : undefined)}
          allowDeselect={false}
        />
        <Select
          label="Times"
          data={times}
          value={String(options['timestamp_format'] ?? 'unixnano')}
          onChange={value => set('timestamp_format', value)}
          allowDeselect={false}
        />
        <NumberInput
          label="Share of the lines, per cent"
          description="After the filter; each line by chance."
          value={
            typeof options['sample_rate'] === 'number'
              ? Number((options['sample_rate'] * 100).toFixed(6))
              : 100
          }
          onChange={value =>
            set('sample_rate', value === 100 || value === '' ? undefined : Number(value) / 100)
          }
          min={0.0001}
          max={100}
          decimalScale={4}
          hideControls
        />
      </SimpleGrid>
      <Stack gap="xs">
        <Checkbox
          label="Defuse log4j lookups (CVE-2021-44228)"
          description="Writes x{ for each ${, so that no log viewer expands it."
          checked={options['CVE-2021-44228'] === true}
          onChange={event => set('CVE-2021-44228', event.currentTarget.checked || undefined)}
        />
        {dataset.name === 'http_requests' ? (
          <Checkbox
            label="Merge subrequests"
            description="Kept as you say it; this edge has no subrequests."
            checked={options['merge_subrequests'] === true}
            onChange={event => set('merge_subrequests', event.currentTarget.checked || undefined)}
          />
        ) : null}
      </Stack>
      <div>
        <Button variant="subtle" size="compact-sm" onClick={toggle} aria-expanded={opened}>
          {opened ? 'Hide the texts around lines' : 'Texts around lines, and a template'}
        </Button>
        <Collapse expanded={opened}>
          <Stack mt="sm">
            <Text size="sm" c="dimmed">
              Write \n for a line break and \t for a tab. Empty is the default.
            </Text>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              {texts.map(({ key, label, ...defaults }) => (
                <EscapedInput
                  key={key}
                  label={label}
                  usual={defaults[type]}
                  text={typeof options[key] === 'string' ? options[key] : ''}
                  onChange={text => set(key, text === '' ? undefined : text)}
                />
              ))}
            </SimpleGrid>
            <Textarea
              label="Template of a record"
              description="In place of the fields and what stands between them: {{.ClientIP}} is a value, all else stays as it is."
              placeholder={'{{.EdgeStartTimestamp}} {{.ClientIP}} {{.EdgeResponseStatus}}'}
              value={typeof options['record_template'] === 'string' ? options['record_template'] : ''}
              onChange={event => set('record_template', event.currentTarget.value || undefined)}
              autosize
              minRows={2}
              spellCheck={false}
            />
          </Stack>
        </Collapse>
      </div>
      <div>
        <Title order={3} mb="xs">
          Batches
        </Title>
        <Text size="sm" c="dimmed" mb="sm">
          A batch goes out when the first of these is reached. Empty is the default.
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Frequency"
            data={[
              { value: 'high', label: 'High: 30 s or 100,000 lines' },
              { value: 'low', label: 'Low: 5 min or 1,000,000 lines' },
            ]}
            value={draft.frequency}
            onChange={value => change({ frequency: value === 'low' ? 'low' : 'high' })}
            allowDeselect={false}
          />
          <Amount
            name="seconds"
            label="Seconds"
            value={draft.seconds}
            onChange={seconds => change({ seconds })}
          />
          <Amount
            name="records"
            label="Lines"
            value={draft.records}
            onChange={records => change({ records })}
          />
          <Amount
            name="bytes"
            label="Bytes before compression"
            value={draft.bytes}
            onChange={bytes => change({ bytes })}
          />
        </SimpleGrid>
      </div>
    </Stack>
  )
}

interface EscapedProps {
  readonly label: string
  /** What stands there when it is left out. */
  readonly usual: string
  readonly text: string
  onChange(text: string): void
}

/** A text whose line breaks and tabs are written with a backslash. */
function EscapedInput({ label, usual, text, onChange }: EscapedProps) {
  // What is typed stays as it is: a backslash alone is the beginning of something.
  const [typed, setTyped] = useState(() => escaped(text))
  return (
    <TextInput
      label={label}
      placeholder={escaped(usual) || 'nothing'}
      value={typed}
      onChange={event => {
        const { value } = event.currentTarget
        setTyped(value)
        onChange(unescaped(value))
      }}
      spellCheck={false}
      ff="monospace"
    />
  )
}

interface AmountProps {
  readonly name: keyof typeof amounts
  readonly label: string
  readonly value: string
  onChange(value: string): void
}

function Amount({ name, label, value, onChange }: AmountProps) {
  const { min, max } = amounts[name]
  return (
    <TextInput
      label={label}
      inputMode="numeric"
      placeholder={`${min.toLocaleString('en')} to ${max.toLocaleString('en')}`}
      value={value}
      onChange={event => onChange(event.currentTarget.value.replace(/[^\d]/g, ''))}
      error={amountFault(value, min, max)}
    />
  )
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
}

/** A backslash before anything else stands for itself. */
function unescaped(text: string): string {
  const meant: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\' }
  return text.replace(/\\([nrt\\])/g, (_, letter: string) => meant[letter]!)
}
