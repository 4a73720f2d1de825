import type { Reach } from '../../../model/settings/index.ts'
import { openReceiver } from '../receiver.ts'
import type { ReceiverSettings } from '../receiver-settings.ts'
import type { Sink } from '../sink.ts'

/** Any receiver: the batch in the job's format, as a whole. */
export function openHttps(settings: ReceiverSettings, reach: Reach): Sink {
  return openReceiver(
    settings,
    {
      caps: {},
      contentType: 'text/plain; charset=utf-8',
      // A receiver that knows the header can deduplicate. @source draft-ietf-httpapi-idempotency-key-header
      headers: part => ({ 'idempotency-key': `"${part.id}"` }),
    },
    reach,
  )
}
