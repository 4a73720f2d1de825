import { createHash } from 'node:crypto'
import type { DestinationReach } from '../../../model/settings.ts'
import { openReceiver } from '../receiver.ts'
import type { ReceiverSettings } from '../receiver-settings.ts'
import type { Sink } from '../sink.ts'

/** Below the 4 MB that a server takes in one message by default, with room for escapes. */
const caps = { bytes: 1_500_000, records: 10_000 }

/**
 * Loki's push API, one stream. The time of a line follows from the batch and its place in it, so a replay writes the
 * same entries, and Loki keeps one of several that agree in stream, time and line.
 * @source Grafana Loki, "HTTP API: ingest logs"
 */
export function openLoki(
  settings: ReceiverSettings,
  labels: Readonly<Record<string, string>>,
  reach: DestinationReach,
): Sink {
  return openReceiver(
    settings,
    {
      caps,
      contentType: 'application/json',
      encode(part, batch) {
        const firstNs = BigInt(batch.startMs) * 1_000_000n + offsetNs(batch.id) + BigInt(part.first)
        const values = part.records.map((record, n) => [
          String(firstNs + BigInt(n)),
          record.toString('utf8').trimEnd(),
        ])
        return JSON.stringify({ streams: [{ stream: labels, values }] })
      },
      advice,
    },
    reach,
  )
}

/** Below a second: keeps lines of batches apart that begin in the same second and may hold the same lines. */
function offsetNs(id: string): bigint {
  return BigInt(createHash('sha256').update(id).digest().readUInt32BE() % 900_000_000)
}

function advice(status: number): string | undefined {
  switch (status) {
    case 400:
      return 'a line is too long or too old for it (limits_config: max_line_size, reject_old_samples_max_age)'
    case 401:
      return 'it wants header_X-Scope-OrgID=TENANT, or the credentials are wrong'
    case 404:
      return 'the path is /loki/api/v1/push'
    case 429:
      return 'its ingestion rate limit is reached'
    default:
      return undefined
  }
}
