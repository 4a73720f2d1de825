import type { Reach } from '../../../model/settings/index.ts'
import { refusePage } from '../answer-status.ts'
import { jsonArray } from '../json-records.ts'
import { framed } from '../parts.ts'
import { openReceiver } from '../receiver.ts'
import type { ReceiverSettings } from '../receiver-settings.ts'
import type { Sink } from '../sink.ts'

/**
 * Datadog's log intake: at most 5 MB and 1,000 entries per request. NDJSON is sent as a JSON array. Datadog does not
 * deduplicate.
 * @source Datadog, API reference "Send logs"
 */
export function openDatadog(settings: ReceiverSettings, reach: Reach): Sink {
  return openReceiver(
    settings,
    {
      // Brackets and commas replace the line ends, and add one byte.
      caps: { bytes: 4_999_990, records: 1_000 },
      contentType: 'application/json',
      encode: (part, batch) => jsonArray(part, batch.frame) ?? framed(batch, part.records),
      accept: (answer, { url }) => refusePage(answer, url.host),
      advice: status =>
        status === 401 || status === 403 ? 'the API key (header_DD-API-KEY) is wrong' : undefined,
    },
    reach,
  )
}
