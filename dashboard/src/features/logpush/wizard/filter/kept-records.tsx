import { Text } from '@mantine/core'
import { useMemo } from 'react'
import type { LogRecord } from '../../../../../../src/model/dataset.ts'
import type { FilterState } from '../../filter/edited.ts'

/** The share of the newest records that match the filter. */
export function KeptCount({
  filter,
  records,
}: {
  readonly filter: FilterState
  readonly records: readonly LogRecord[]
}) {
  const { test } = filter
  const kept = useMemo(() => (test === undefined ? undefined : records.filter(test).length), [test, records])
  if (kept === undefined) return null
  return (
    <Text size="sm" mt={4}>
      Of the last {records.length === 1 ? 'record' : `${records.length.toLocaleString()} records`} this filter
      matches {kept.toLocaleString()}.
    </Text>
  )
}

const shownMax = 5

interface KeptRecordsProps {
  readonly test: (record: LogRecord) => boolean
  readonly records: readonly LogRecord[]
  readonly dataset: string
}

/** The newest matching records, in short. */
export function KeptRecords({ test, records, dataset }: KeptRecordsProps) {
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
        Newest matches
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
