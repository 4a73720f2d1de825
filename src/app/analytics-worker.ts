import { parentPort, workerData } from 'node:worker_threads'
import { runIngest } from '../analytics/index.ts'
import { systemClock } from '../kit/clock.ts'
import type { AnalyticsThreadData, FromAnalyticsThread } from './analytics-thread.ts'
import { createLogger } from './logger.ts'
import { openRecordLog } from './stores.ts'

/** Entry of the thread that reads the record log into analytics, until it is told to stop. */
const { settings, path } = workerData as AnalyticsThreadData
const logger = createLogger('analytics')
const log = await openRecordLog(settings, ({ code, cause, message }) =>
  // Counted where records are delivered.
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
