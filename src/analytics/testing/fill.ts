import type { IngestDeps } from '../ingest/ingest.ts'
import { runIngest } from '../ingest/ingest.ts'
import type { RecordStore } from '../records/port.ts'
import type { IngestProgress } from '../types.ts'

export const zoneA = 'a'.repeat(32)
export const zoneB = 'b'.repeat(32)
export const accountA = 'c'.repeat(32)

/** A log of one partition that holds these records; it can grow. */
export function logOf(records: readonly string[]): IngestDeps['reader'] {
  return {
    partitions: async () => ['p'],
    head: async () => records.length,
    read: async (_partition, after, limits) =>
      records
        .slice(after, after + limits.records)
        .map((record, at) => ({ sequence: after + at + 1, receivedMs: 0, record })),
  }
}

/** Any time of a record. */
export const always = { sinceMs: 0, untilMs: Number.POSITIVE_INFINITY }

export const keptForever = { ageMs: 365 * 86_400_000, bytes: 2 ** 30 }

/** Runs the ingest until everything is read, or it has failed. */
export async function ingest(
  store: RecordStore,
  reader: IngestDeps['reader'],
  changes: Partial<Pick<IngestDeps, 'clock' | 'kept' | 'onError'>> = {},
): Promise<IngestProgress> {
  const stop = new AbortController()
  let last: IngestProgress = { partitions: [], bytes: 0, failures: 0 }
  const deps: IngestDeps = {
    store,
    reader,
    clock: { nowMs: () => Date.UTC(2026, 0, 2, 12) },
    kept: keptForever,
    ...changes,
    onError(message, error) {
      stop.abort()
      changes.onError?.(message, error)
    },
    onProgress(progress) {
      last = progress
      if (progress.partitions.every(({ sequence, head }) => sequence === head)) stop.abort()
    },
  }
  await runIngest(deps, stop.signal)
  return last
}

type Fields = Readonly<Record<string, unknown>>

interface Owner {
  readonly zone?: string
  readonly account?: string
}

/** A record of `http_requests` as the log has it. */
export function requestRecord(timeMs: number, fields: Fields = {}, owner: Owner = {}): string {
  return recordOf('http_requests', owner, {
    ClientRequestBytes: 100,
    EdgeResponseBytes: 1000,
    EdgeResponseStatus: 200,
    OriginResponseStatus: 200,
    EdgeStartTimestamp: `${timeMs}000000`,
    ...fields,
    RayID: fields['RayID'] ?? rayOf(timeMs),
  })
}

/** A record of `firewall_events` as the log has it. */
export function eventRecord(timeMs: number, fields: Fields = {}, owner: Owner = {}): string {
  return recordOf('firewall_events', owner, {
    Action: 'block',
    ClientCountry: 'nz',
    ClientIP: '198.51.100.7',
    ClientRequestHost: 'shop.example',
    ClientRequestMethod: 'GET',
    ClientRequestPath: '/search',
    ClientRequestUserAgent: 'curl/8',
    Datetime: `${timeMs}000000`,
    MatchIndex: 0,
    Metadata: { type: 'customer', ruleset_id: 'd'.repeat(32), ruleset_version: '1' },
    RayID: rayOf(timeMs),
    RuleID: '1'.repeat(32),
    Source: 'firewallcustom',
    ...fields,
  })
}

/** Metadata of an event of a managed ruleset whose rules with these numbers matched, 5 points each. */
export function managedMetadata(...refs: readonly string[]): object {
  return {
    type: 'managed',
    ruleset_id: '4814384a9e5d4991b9815dcfc25d2f1f',
    ruleset_version: '1',
    score: 5 * refs.length,
    threshold: 5,
    rules: refs.map((ref, at) => ({ id: `id-${ref}`, ref, score: 5, total: 5 * (at + 1), target: 'ARGS:q' })),
  }
}

/** `MatchedRules` of a request that these rules matched. */
export function matchedRules(...refs: readonly string[]): readonly object[] {
  const rules = refs.map(ref => ({ id: `id-${ref}`, metadata: { ref, score: '5', target: 'ARGS:q' } }))
  return [{ product: 'firewallManaged', rulesetId: '4814384a9e5d4991b9815dcfc25d2f1f', rules }]
}

export function rayOf(timeMs: number): string {
  return timeMs.toString(16).padStart(16, '0')
}

function recordOf(dataset: string, { zone = zoneA, account = accountA }: Owner, fields: Fields): string {
  return JSON.stringify({ zone, account, dataset, fields })
}
