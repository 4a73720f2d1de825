import type { ChangeFeed, RecordReader } from '../../bus/index.ts'
import { systemClock } from '../../kit/clock.ts'
import { type DeliveryOutcome, startDelivery } from '../../logpush/index.ts'
import type { LogpushJob } from '../../model/resource.ts'
import type { Settings } from '../../model/settings/index.ts'
import type { Store } from '../../store/index.ts'
import { retireLimits } from '../limits.ts'
import type { Logger } from '../observe/logger.ts'
import { countDelivery, countLoss, countReset, exposeJobs } from '../observe/metrics.ts'
import type { Shutdown } from '../shutdown.ts'
import { destinationPolicy } from '../state/destination-policy.ts'
import { machineId } from '../state/machine-id.ts'

/** Interval of delivery's marks if a full log refuses requests. */
const refusingUpkeepMs = 1000

/**
 * Delivers the records of every Logpush job until the shutdown.
 * @param isReplaced another process waits to deliver: uploads have longer to finish, because it would repeat them
 */
export async function runDelivery(
  settings: Settings,
  store: Store,
  changes: ChangeFeed,
  reader: RecordReader,
  logger: Logger,
  shutdown: Shutdown,
  isReplaced: () => boolean,
): Promise<void> {
  const delivery = startDelivery({
    store,
    reader,
    clock: systemClock,
    location: machineId(settings.data),
    destinations: destinationPolicy(settings),
    batchBytes: settings.batchBytes,
    ...(settings.spoolFull === 'refuse-requests' ? { pace: { upkeepMs: refusingUpkeepMs } } : {}),
    onOutcome(job, outcome) {
      countDelivery(job.id, outcome)
      logOutcome(logger, job, outcome)
    },
    onReset({ jobId: job, partition, sequence }) {
      countReset(job)
      logger.error(
        { job, partition, sequence },
        'the log of a job was lost or created again: delivery continues at the start of the new log',
      )
    },
    onLoss({ jobId: job, records }) {
      countLoss(job, records)
      logger.error({ job, records }, 'log records were dropped before the job had delivered them')
    },
    onError: (message, error) => logger.error({ err: error }, message),
  })
  exposeJobs(() => delivery.lags())
  const unsubscribe = changes.subscribe(change => {
    if (change.kind === 'everything')
      logger.warn('the database was restored to an earlier state: every Logpush job is read again')
    if (
      change.kind !== 'account' &&
      change.kind !== 'list' &&
      change.kind !== 'crs' &&
      change.kind !== 'acme'
    )
      delivery.refresh()
  })
  shutdown.add('delivery', async () => {
    unsubscribe()
    await delivery.stop(isReplaced() ? retireLimits.deliverMs : undefined)
  })
}

function logOutcome(logger: Logger, { id: job }: LogpushJob, outcome: DeliveryOutcome): void {
  const { status, lines, bytes, bytesCompressed, message } = outcome
  if (outcome.outcome === 'successful')
    logger.info({ job, status, object: message, lines, bytes, bytesCompressed }, 'delivered')
  else if (outcome.outcome === 'retry')
    logger.warn({ job, status, reason: message }, 'delivery failed; retrying')
  else logger.error({ job, status, reason: message }, 'delivery is paused: edit the job to resume')
}
