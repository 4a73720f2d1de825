import type { DestinationReach } from '../../../model/settings.ts'
import { openReceiver } from '../receiver.ts'
import type { ReceiverSettings } from '../receiver-settings.ts'
import type { Sink } from '../sink.ts'

/**
 * An HTTP source of Sumo Logic, which wants about 1 MB uncompressed in a request. It does not tell a replay.
 * @source Sumo Logic, "Upload data to an HTTP source"
 */
export function openSumo(settings: ReceiverSettings, reach: DestinationReach): Sink {
  return openReceiver(
    settings,
    {
      caps: { bytes: 1_000_000 },
      contentType: 'text/plain; charset=utf-8',
      advice: status => (status === 401 ? 'the token in the address is not that of a source' : undefined),
    },
    reach,
  )
}
