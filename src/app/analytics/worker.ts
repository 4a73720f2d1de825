import { parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority, runIngest } from '../../analytics/index.ts'
import { systemClock } from '../../kit/clock.ts'
import { createLogger } from '../observe/logger.ts'
import { openRecordLog } from '../state/record-log.ts'
import type { AnalyticsThreadData, FromAnalyticsThread } from './thread.ts'

/** Main file of the thread that reads the record log into analytics, until it receives a stop message. */
lowerThreadPriority()
const { settings, path } = workerData as AnalyticsThreadData
const logger = createLogger('analytics')
const log = await openRecordLog(settings, ({ code, cause, message }) =>
  // Delivery counts these.
  logger.warn({ code, err: cause }, message),
)
const stop = new AbortController()
parentPort!.once('message', () => stop.abort())

await runIngest(
  {
    path,
    reader: await log.reader(),
    clock: systemClock,
    kept: { ageMs: settings.analyticsAge, bytes: settings.analyticsBytes },
    onError: (message, error) => logger.error({ err: error }, message),
    onProgress: progress => parentPort!.postMessage(progress satisfies FromAnalyticsThread),
  },
  stop.signal,
)
await log.close()
process.exit(0)
