import type { DestinationReach } from '../../../model/settings.ts'
import { openReceiver } from '../receiver.ts'
import type { ReceiverSettings } from '../receiver-settings.ts'
import type { Sink } from '../sink.ts'

/** Any receiver: the batch as the job writes it, whole. */
export function openHttps(settings: ReceiverSettings, reach: DestinationReach): Sink {
  return openReceiver(
    settings,
    {
      caps: {},
      contentType: 'text/plain; charset=utf-8',
      // A receiver that knows the header can tell a replay.
      // @source draft-ietf-httpapi-idempotency-key-header
      headers: part => ({ 'idempotency-key': `"${part.id}"` }),
    },
    reach,
  )
}
