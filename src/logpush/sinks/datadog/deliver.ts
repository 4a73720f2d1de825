import type { DestinationReach } from '../../../model/settings.ts'
import { jsonArray } from '../json-records.ts'
import { openReceiver } from '../receiver.ts'
import type { ReceiverSettings } from '../receiver-settings.ts'
import type { Sink } from '../sink.ts'

/**
 * Datadog's log intake: at most 5 MB and 1,000 entries in a request. NDJSON goes as a JSON array. It does not tell a
 * replay.
 * @source Datadog, API reference "Send logs"
 */
export function openDatadog(settings: ReceiverSettings, reach: DestinationReach): Sink {
  return openReceiver(
    settings,
    {
      // Brackets and commas stand where the line ends stood, and one more.
      caps: { bytes: 4_999_990, records: 1_000 },
      contentType: 'application/json',
      encode: (part, batch) => jsonArray(part, batch.frame) ?? part.text,
      advice: status =>
        status === 401 || status === 403 ? 'the API key (header_DD-API-KEY) is wrong' : undefined,
    },
    reach,
  )
}
