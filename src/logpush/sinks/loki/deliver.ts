import { createHash } from 'node:crypto'
import type { Reach } from '../../../model/settings/index.ts'
import { foreignAnswer } from '../answer-status.ts'
import { destinationLimits } from '../limits.ts'
import type { Answer } from '../outgoing.ts'
import { openReceiver } from '../receiver.ts'
import type { ReceiverSettings } from '../receiver-settings.ts'
import type { LineOrigin, Sink } from '../sink.ts'

/** Below the 4 MB that a server accepts in one message by default, with a margin for escapes. */
const caps = { bytes: 1_500_000, records: 10_000 }

/**
 * Loki's push API, one stream. A line has the time of its record, so a second attempt and a replay write the
 * same entries. Loki keeps one of several entries with the same stream, time and line.
 * @source Grafana Loki, "HTTP API: ingest logs"
 */
export function openLoki(
  settings: ReceiverSettings,
  labels: Readonly<Record<string, string>>,
  reach: Reach,
): Sink {
  return openReceiver(
    settings,
    {
      caps,
      contentType: 'application/json',
      encode(part, batch) {
        const values = part.records.map((record, n) => [
          timeOf(batch.origin(part.first + n)),
          record.toString('utf8').trimEnd(),
        ])
        return JSON.stringify({ streams: [{ stream: labels, values }] })
      },
      accept: (answer, { url }) => {
        // A gateway may answer 200 where Loki itself answers 204.
        if (answer.status !== 204 && answer.body.length > 0)
          throw foreignAnswer(answer, url.host, "Loki's empty answer")
        return undefined
      },
      advice,
    },
    reach,
  )
}

/**
 * When it happened, nanoseconds as text. Loki keeps one of several entries with the same time and line, so the digits
 * below the millisecond distinguish records: a number for the partition, and the sequence.
 */
function timeOf({ partition, sequence, receivedMs, happenedMs }: LineOrigin): string {
  // The beginning of a connection that was open for hours: Loki accepts nothing that old.
  const ms = receivedMs - happenedMs > destinationLimits.lokiBehindMsMax ? receivedMs : happenedMs
  const belowMs = (numberOf(partition) % 10_000) * 100 + (sequence % 100)
  return `${ms}${String(belowMs).padStart(6, '0')}`
}

function numberOf(partition: string): number {
  return createHash('sha256').update(partition).digest().readUInt32BE()
}

/**
 * The limit that Loki names, in our words.
 * @source Grafana Loki, "Request validation & rate limit errors"
 */
function refusedEntry(answered: string): string {
  // Labels and their values are the user's own words.
  const said = answered.replaceAll(/\{[^{}]*\}/g, '')
  if (/label/i.test(said))
    return 'it does not accept the labels: see label_ of the destination, and max_label_names_per_series and the like in its limits_config'
  if (/entry too large|line too long|max entry size|max_line_size/i.test(said))
    return 'a line is too long for it (limits_config: max_line_size)'
  if (/too (?:old|far behind|new)|out of order/i.test(said))
    return 'a line is too old for it, or too far behind others of its stream (limits_config: reject_old_samples_max_age)'
  return 'it does not accept a line or a label'
}

function advice(status: number, { body }: Answer): string | undefined {
  switch (status) {
    case 400:
      return refusedEntry(body.toString('utf8'))
    case 401:
      return 'it requires header_X-Scope-OrgID=TENANT, or the credentials are wrong'
    case 404:
      return 'the path is /loki/api/v1/push'
    case 429:
      return 'its ingestion rate limit is reached'
    default:
      return undefined
  }
}
