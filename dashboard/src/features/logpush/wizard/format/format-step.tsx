import { Checkbox, NumberInput, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import type { Dataset } from '../../../../../../src/model/dataset.ts'
import { storesObjects, usesLogpullOptions } from '../../draft.ts'
import type { StepProps } from '../step-props.ts'
import { BatchFields } from './batch-fields.tsx'
import {
  LineTexts,
  lineOptions,
  type Options,
  type OutputType,
  outputTypeOf,
  type SetOption,
  timestampFormatOf,
} from './line-texts.tsx'

const times = [
  { value: 'rfc3339', label: 'RFC 3339, seconds: 2026-05-01T10:00:00Z' },
  { value: 'rfc3339ms', label: 'RFC 3339, milliseconds: …:00.123Z' },
  { value: 'rfc3339ns', label: 'RFC 3339, nanoseconds: …:00.123456789Z' },
  { value: 'unix', label: 'Unix seconds: 1777629600' },
  { value: 'unixnano', label: 'Unix nanoseconds: 1777629600123456789' },
] as const

/** The same values for the columns of a Parquet file. */
const columnTimes = [
  { value: 'rfc3339ns', label: 'Timestamp, nanoseconds' },
  { value: 'rfc3339ms', label: 'Timestamp, milliseconds' },
  { value: 'rfc3339', label: 'Timestamp, whole seconds' },
  { value: 'unix', label: 'Integer, Unix seconds' },
  { value: 'unixnano', label: 'Integer, Unix nanoseconds' },
] as const

/** Line format and batch limits. */
export function FormatStep({ job, draft, dataset, change }: StepProps) {
  const { options } = draft
  const set: SetOption = (key, value) => {
    const { [key]: _, ...rest } = options
    change({ options: value === undefined ? rest : { ...rest, [key]: value } })
  }
  const type = outputTypeOf(options)
  const choose = (chosen: OutputType) => {
    const { output_type: _, ...rest } = options
    if (chosen === 'parquet') {
      const kept = Object.fromEntries(Object.entries(rest).filter(([key]) => !lineOptions.includes(key)))
      return change({ options: { ...kept, output_type: chosen, timestamp_format: 'rfc3339ns' } })
    }
    // Lines have another default for times than columns.
    const { timestamp_format: _times, ...untimed } = rest
    const kept = type === 'parquet' ? untimed : rest
    change({ options: chosen === 'csv' ? { ...kept, output_type: chosen } : kept })
  }
  return (
    <Stack gap="lg">
      {job !== undefined && usesLogpullOptions(job) ? (
        <Text size="sm" c="dimmed">
          This job uses the older logpull_options. A change here or of its fields adds output_options, which
          take precedence.
        </Text>
      ) : null}
      <TypeFields
        options={options}
        type={type}
        set={set}
        choose={choose}
        canStore={type === 'parquet' || storesObjects(draft)}
      />
      <Repairs options={options} dataset={dataset} set={set} />
      {type === 'parquet' ? null : <LineTexts options={options} type={type} set={set} />}
      <BatchFields draft={draft} change={change} />
    </Stack>
  )
}

interface OptionsProps {
  readonly options: Options
  readonly set: SetOption
}

interface TypeProps extends OptionsProps {
  readonly type: OutputType
  readonly choose: (type: OutputType) => void
  /** Whether the destination takes files. */
  readonly canStore: boolean
}

function TypeFields({ options, type, set, choose, canStore }: TypeProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label="Output type"
        description={canStore ? undefined : 'Parquet needs an object store or a directory.'}
        data={[
          { value: 'ndjson', label: 'JSON, one object per line' },
          { value: 'csv', label: 'CSV' },
          { value: 'parquet', label: 'Parquet, a column per field', disabled: !canStore },
        ]}
        value={type}
        onChange={value => choose(value as OutputType)}
        allowDeselect={false}
      />
      <Select
        label="Timestamp format"
        data={type === 'parquet' ? columnTimes : times}
        value={timestampFormatOf(options)}
        onChange={value => set('timestamp_format', value)}
        allowDeselect={false}
      />
      <NumberInput
        label="Sample rate (%)"
        description="Random sample of the lines that match the filter."
        value={
          typeof options['sample_rate'] === 'number' ? Number((options['sample_rate'] * 100).toFixed(6)) : 100
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
  )
}

function Repairs({ options, dataset, set }: OptionsProps & { readonly dataset: Dataset }) {
  return (
    <Stack gap="xs">
      <Checkbox
        label="Defuse log4j lookups (CVE-2021-44228)"
        description="Replaces each ${ with x{."
        checked={options['CVE-2021-44228'] === true}
        onChange={event => set('CVE-2021-44228', event.currentTarget.checked || undefined)}
      />
      {dataset.name === 'http_requests' ? (
        <Checkbox
          label="Merge subrequests"
          description="Stored for compatibility; this edge has no subrequests."
          checked={options['merge_subrequests'] === true}
          onChange={event => set('merge_subrequests', event.currentTarget.checked || undefined)}
        />
      ) : null}
    </Stack>
  )
}
