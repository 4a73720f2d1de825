import type { ChangeFeed, Forwarding, RecordLog } from '../../bus/index.ts'
import type { Settings } from '../../model/settings/index.ts'
import type { Store } from '../../store/index.ts'
import type { Logger } from '../observe/logger.ts'
import type { Shutdown } from '../shutdown.ts'
import { watchRecordJobs } from './record-jobs.ts'

/**
 * Moves the records of this data directory's spool to NATS until the shutdown. Undefined where readers read the spool.
 */
export async function runForwarding(
  log: RecordLog,
  settings: Settings,
  store: { readonly jobs: Pick<Store['jobs'], 'listEnabled'> },
  changes: Pick<ChangeFeed, 'subscribe'>,
  logger: Logger,
  shutdown: Shutdown,
): Promise<Forwarding | undefined> {
  if (log.forward === undefined) return undefined
  const isWanted =
    settings.spoolFull === 'drop-oldest'
      ? undefined
      : await watchRecordJobs(store, changes, (message, error) => logger.error({ err: error }, message))
  const forwarding = await log.forward(isWanted)
  shutdown.add('forwarding of records', () => forwarding.stop())
  return forwarding
}
