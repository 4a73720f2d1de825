import type { Reach } from '../../../model/settings/index.ts'
import { refusePage } from '../answer-status.ts'
import { openReceiver } from '../receiver.ts'
import type { ReceiverSettings } from '../receiver-settings.ts'
import type { Sink } from '../sink.ts'

/**
 * An HTTP source of Sumo Logic, which expects about 1 MB uncompressed per request. Sumo Logic does not deduplicate.
 * @source Sumo Logic, "Upload data to an HTTP source"
 */
export function openSumo(settings: ReceiverSettings, reach: Reach): Sink {
  return openReceiver(
    settings,
    {
      caps: { bytes: 1_000_000 },
      contentType: 'text/plain; charset=utf-8',
      accept: (answer, { url }) => refusePage(answer, url.host),
      advice: status => (status === 401 ? 'the token in the address does not belong to a source' : undefined),
    },
    reach,
  )
}
