import type { Reach } from '../../../model/settings/index.ts'
import { refusePage } from '../answer-status.ts'
import { openReceiver } from '../receiver.ts'
import type { ReceiverSettings } from '../receiver-settings.ts'
import type { Sink } from '../sink.ts'

/**
 * New Relic's Log API: 1 MB compressed and 5 MB uncompressed at most; answers 202. New Relic does not deduplicate.
 * @source New Relic, "Introduction to the Log API", limits
 */
export function openNewRelic(settings: ReceiverSettings, reach: Reach): Sink {
  return openReceiver(
    settings,
    {
      caps: { bytes: 5_000_000, gzipBytes: 1_000_000 },
      contentType: 'text/plain; charset=utf-8',
      accept: (answer, { url }) => refusePage(answer, url.host),
      advice: status => (status === 403 ? 'the Api-Key is wrong, or belongs to the other region' : undefined),
    },
    reach,
  )
}
