import { Button, Group, Progress, Stack, Text, Textarea } from '@mantine/core'
import { useMemo } from 'react'
import type { LogRecord } from '../../../../../../src/model/dataset.ts'
import { examplesOf } from '../../../../domain/logs/log-sample.ts'
import { editedFrom, type FilterState } from '../../filter/edited.ts'
import { FilterBuilder } from '../../filter/filter-builder.tsx'
import { SampleSource } from '../sample-source.tsx'
import type { StepProps } from '../step-props.ts'
import { KeptCount, KeptRecords } from './kept-records.tsx'

/** The job's filter: conditions in groups, in words, and its effect on the newest records. */
export function FilterStep(props: StepProps) {
  const { draft, dataset, filter, sample, sampleZone, change } = props
  const asText = draft.filterText !== undefined
  const examples = useExamples(sample.records)
  return (
    <Stack>
      <Group justify="space-between" gap="sm">
        <Text size="sm">Without conditions, all records are delivered.</Text>
        <ModeButton draft={draft} filter={filter} change={change} />
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
          <KeptCount filter={filter} records={sample.records} />
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

/** Values of an array field: conditions compare its elements. */
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

type ModeProps = Pick<StepProps, 'draft' | 'filter' | 'change'>

/** Switches between conditions and text. Text that conditions cannot express stays text. */
function ModeButton({ draft, filter, change }: ModeProps) {
  const { filterText } = draft
  if (filterText === undefined)
    return (
      <Button size="compact-sm" variant="subtle" onClick={() => change({ filterText: filter.text })}>
        Edit as text
      </Button>
    )
  const toBuilder = () => {
    const tree = editedFrom(filterText)
    if (tree !== undefined) change({ filter: tree, filterText: undefined })
  }
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      disabled={editedFrom(filterText) === undefined}
      onClick={toBuilder}
    >
      Edit as conditions
    </Button>
  )
}

function useExamples(records: readonly LogRecord[]): (field: string) => readonly string[] {
  return useMemo(() => {
    const known = new Map<string, readonly string[]>()
    return field => {
      if (!known.has(field)) known.set(field, elementsOf(examplesOf(records, field)))
      return known.get(field)!
    }
  }, [records])
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
        color={isOver ? 'red.8' : 'brand'}
        size="sm"
        aria-label={`${label} used`}
      />
    </div>
  )
}
