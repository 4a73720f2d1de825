import { OcspStaples } from '../../edge/index.ts'
import type { Settings } from '../../model/settings/index.ts'
import type { Logger } from '../observe/logger.ts'

/** OCSP responses for one listener of TLS; failures go to the log. */
export function openStaples({ destinations }: Settings, logger: Logger): OcspStaples {
  return new OcspStaples({
    policy: { reach: destinations, setting: 'SLUICE_DESTINATIONS' },
    nowMs: Date.now,
    onFailure: (responder, error, needed) =>
      logger[needed ? 'error' : 'warn'](
        { responder, reason: (error as Error).message },
        needed
          ? 'no OCSP response for a certificate that needs one: clients refuse it'
          : 'no new OCSP response for a certificate',
      ),
  })
}
