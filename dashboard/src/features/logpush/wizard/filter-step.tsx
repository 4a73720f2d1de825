import { Button, Group, Progress, Stack, Text, Textarea } from '@mantine/core'
import { useMemo } from 'react'
import type { LogRecord } from '../../../../../src/model/dataset.ts'
import { examplesOf } from '../../../api/log-sample.ts'
import { editedFrom, type FilterState } from '../filter/edited.ts'
import { FilterBuilder } from '../filter/filter-builder.tsx'
import { SampleSource } from './sample-source.tsx'
import type { StepProps } from './wizard.tsx'

/** Which records are delivered: conditions in groups, what they mean, and what of the newest records they keep. */
export function FilterStep(props: StepProps) {
  const { draft, dataset, filter, sample, sampleZone, change } = props
  const asText = draft.filterText !== undefined
  const examples = useMemo(() => {
    const known = new Map<string, readonly string[]>()
    return (field: string) => {
      if (!known.has(field)) known.set(field, elementsOf(examplesOf(sample.records, field)))
      return known.get(field)!
    }
  }, [sample.records])
  const toBuilder = () => {
    const tree = editedFrom(draft.filterText ?? '')
    if (tree !== undefined) change({ filter: tree, filterText: undefined })
  }
  return (
    <Stack>
      <Group justify="space-between" gap="sm">
        <Text size="sm">Without a condition every record is delivered.</Text>
        {asText ? (
          <Button
            size="compact-sm"
            variant="subtle"
            disabled={editedFrom(draft.filterText ?? '') === undefined}
            onClick={toBuilder}
          >
            Edit as conditions
          </Button>
        ) : (
          <Button size="compact-sm" variant="subtle" onClick={() => change({ filterText: filter.text })}>
            Edit as text
          </Button>
        )}
      </Group>
      {asText ? (
        <Textarea
          label="Filter"
          description='JSON: {"where": …}. Empty for no filter.'
          value={draft.filterText}
          onChange={event => change({ filterText: event.currentTarget.value })}
          error={filter.fault === undefined ? undefined : faultText(filter.fault)}
          autosize
          minRows={5}
          maxRows={20}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
      ) : (
        <FilterBuilder
          root={draft.filter}
          dataset={dataset}
          fault={filter.fault}
          examples={examples}
          onChange={next => change({ filter: next })}
        />
      )}
      <Group grow preventGrowOverflow={false} gap="xl">
        <Meter label="Operators" used={filter.size.operators} max={filter.size.operatorsMax} />
        <Meter label="Bytes" used={filter.size.bytes} max={filter.size.bytesMax} />
      </Group>
      <div role="status">
        <Text size="sm" fw={550}>
          {filter.explanation === undefined ? (filter.fault?.message ?? '') : `${filter.explanation}.`}
        </Text>
        {sampleZone !== undefined && sample.records.length > 0 ? (
          <Kept filter={filter} records={sample.records} />
        ) : null}
      </div>
      <SampleSource {...props} />
      {filter.test === undefined || sample.records.length === 0 ? null : (
        <KeptRecords test={filter.test} records={sample.records} dataset={dataset.name} />
      )}
    </Stack>
  )
}

function faultText({ message, pointer }: NonNullable<FilterState['fault']>): string {
  return pointer === '' ? message : `${message} (at ${pointer})`
}

/** Examples of arrays are arrays; their elements are what is compared. */
function elementsOf(examples: readonly string[]): readonly string[] {
  const elements = examples.flatMap(text => {
    if (!text.startsWith('[')) return [text]
    try {
      return (JSON.parse(text) as readonly unknown[]).map(String)
    } catch {
      return [text]
    }
  })
  return [...new Set(elements)]
}

function Meter({
  label,
  used,
  max,
}: {
  readonly label: string
  readonly used: number
  readonly max: number
}) {
  const isOver = used > max
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="xs" fw={600} c="dimmed">
          {label}
        </Text>
        <Text size="xs" c={isOver ? 'var(--mantine-color-error)' : 'dimmed'}>
          {used.toLocaleString()} of {max.toLocaleString()}
        </Text>
      </Group>
      <Progress
        value={Math.min(100, (used / max) * 100)}
        color={isOver ? 'red.8' : 'gate'}
        size="sm"
        aria-label={`${label} used`}
      />
    </div>
  )
}

function Kept({ filter, records }: { readonly filter: FilterState; readonly records: readonly LogRecord[] }) {
  const { test } = filter
  const kept = useMemo(() => (test === undefined ? undefined : records.filter(test).length), [test, records])
  if (kept === undefined) return null
  return (
    <Text size="sm" mt={4}>
      Of the last {records.length === 1 ? 'record' : `${records.length.toLocaleString()} records`} this keeps{' '}
      {kept.toLocaleString()}.
    </Text>
  )
}

const shownMax = 5

interface KeptRecordsProps {
  readonly test: (record: LogRecord) => boolean
  readonly records: readonly LogRecord[]
  readonly dataset: string
}

/** The newest of the records that are kept, in short. */
function KeptRecords({ test, records, dataset }: KeptRecordsProps) {
  const kept = useMemo(() => {
    const found: LogRecord[] = []
    for (const record of records) {
      if (test(record)) found.push(record)
      if (found.length === shownMax) break
    }
    return found
  }, [test, records])
  if (kept.length === 0) return null
  return (
    <div>
      <Text size="xs" fw={600} c="dimmed" mb={4}>
        The newest of them
      </Text>
      {kept.map((record, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a ray id can have several events
        <Text key={index} size="xs" className="mono cut">
          {dataset === 'firewall_events'
            ? `${text(record['Action'])} ${text(record['ClientRequestPath'])} ${text(record['Description'])}`
            : `${text(record['ClientRequestMethod'])} ${text(record['ClientRequestHost'])}${text(record['ClientRequestURI'])} ${text(record['EdgeResponseStatus'])}`}
        </Text>
      ))}
    </div>
  )
}

function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value)
}
