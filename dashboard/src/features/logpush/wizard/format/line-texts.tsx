import { Button, Collapse, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Draft } from '../../draft.ts'
import { EscapedInput } from './escaped-input.tsx'

type LineType = 'ndjson' | 'csv'
export type OutputType = LineType | 'parquet'
export type Options = Draft['options']
/** Undefined removes the option. */
export type SetOption = (key: string, value: unknown) => void

/** Prefixes, suffixes and delimiters, with defaults by output type. */
const texts = [
  { key: 'batch_prefix', label: 'Before each batch', ndjson: '', csv: '' },
  { key: 'batch_suffix', label: 'After each batch', ndjson: '', csv: '' },
  { key: 'record_prefix', label: 'Before each record', ndjson: '{', csv: '' },
  { key: 'record_suffix', label: 'After each record', ndjson: '}\n', csv: '\n' },
  { key: 'record_delimiter', label: 'Between records', ndjson: '', csv: '' },
  { key: 'field_delimiter', label: 'Between fields', ndjson: ',', csv: ',' },
] as const

/** Options of lines, which Parquet files do not have. */
export const lineOptions: readonly string[] = [...texts.map(({ key }) => key), 'record_template']

export function outputTypeOf(options: Options): OutputType {
  const type = options['output_type']
  return type === 'csv' || type === 'parquet' ? type : 'ndjson'
}

export function timestampFormatOf(options: Options): string {
  const usual = outputTypeOf(options) === 'parquet' ? 'rfc3339ns' : 'unixnano'
  return String(options['timestamp_format'] ?? usual)
}

interface Props {
  readonly options: Options
  readonly type: LineType
  readonly set: SetOption
}

/** Delimiters and the record template. Expanded when the job uses one. */
export function LineTexts({ options, type, set }: Props) {
  const isSpecial = lineOptions.some(key => typeof options[key] === 'string')
  const [opened, { toggle }] = useDisclosure(isSpecial)
  return (
    <div>
      <Button variant="subtle" size="compact-sm" onClick={toggle} aria-expanded={opened}>
        {opened ? 'Hide prefixes, delimiters and template' : 'Prefixes, delimiters and template'}
      </Button>
      <Collapse expanded={opened}>
        <Stack mt="sm">
          <Text size="sm" c="dimmed">
            Use \n for a line break and \t for a tab. Leave empty for the default.
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
            label="Record template"
            description="Replaces fields and delimiters: {{.ClientIP}} inserts a value, all other text is literal."
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
  )
}
