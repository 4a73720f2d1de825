import type { LogRecord } from '../../../../src/model/dataset.ts'
import { useRead } from '../../api/hooks.ts'

const countMax = 1000

export interface Sample {
  readonly records: readonly LogRecord[]
  readonly isPending: boolean
  readonly error: Error | null
  /** Refetches the records. */
  refresh(): void
  readonly isFetching: boolean
}

/**
 * The newest records of a zone, for examples and for the preview of a filter.
 * @param zoneId undefined disables the query
 */
export function useSample(zoneId: string | undefined, dataset: string): Sample {
  const known = dataset === 'http_requests' || dataset === 'firewall_events' ? dataset : undefined
  const enabled = zoneId !== undefined && known !== undefined
  const read = useRead(
    'GET /zones/{zone_id}/logs/sample',
    { path: { zone_id: zoneId ?? '' }, query: { count: countMax, dataset: known ?? 'http_requests' } },
    { enabled, staleMs: 5 * 60_000 },
  )
  return {
    records: (enabled ? (read.data?.records as readonly LogRecord[] | undefined) : undefined) ?? [],
    isPending: enabled && read.isPending,
    error: enabled ? read.error : null,
    refresh: () => void read.refetch(),
    isFetching: read.isFetching,
  }
}

/** Up to three distinct values of a field as text, newest first. */
export function examplesOf(records: readonly LogRecord[], field: string): readonly string[] {
  const found = new Set<string>()
  for (const record of records) {
    const text = valueText(record[field])
    if (text !== '') found.add(text)
    if (found.size === 3) break
  }
  return [...found]
}

/** Empty for missing and empty values. */
function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  if (typeof value !== 'object') return String(value)
  const text = JSON.stringify(value)
  return text === '{}' || text === '[]' ? '' : text
}
