import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { answerCall, answersOf, openWhenUsed, RecordStoreError, runIngest } from '../../analytics/index.ts'
import { systemClock } from '../../kit/clock.ts'
import { lowerThreadPriority } from '../../kit/threads/thread-priority.ts'
import { createLogger } from '../observe/logger.ts'
import { openRecordLog } from '../state/record-log.ts'
import { exportFolder } from './export-folder.ts'
import { openRecordStore } from './record-store.ts'
import type { AnalyticsThreadData, FromAnalyticsThread, ToAnalyticsThread } from './thread.ts'

/** Main file of the thread that has the store of analytics: it reads the record log into it and answers, until a stop message. */
lowerThreadPriority()
const { settings, path } = workerData as AnalyticsThreadData
const logger = createLogger('analytics')
const log = await openRecordLog(settings, ({ code, cause, message }) =>
  // Delivery counts these.
  logger.warn({ code, err: cause }, message),
)
let reads = false
const store = openWhenUsed(async () => {
  const opened = await openRecordStore(settings, path, () => reads)
  await removeOldFile()
  return opened
})
// The tables exist from the start, for other programs that read them.
if (settings.clickhouseUrl !== undefined)
  store
    .usedBytes()
    .catch(error => logger.error({ err: error }, 'the tables in ClickHouse cannot be created yet'))
const stop = new AbortController()
const answers = answersOf(store, exportFolder(dirname(path)), stop.signal)
const running = new Set<Promise<void>>()
let isDamaged = false
const tell = (message: FromAnalyticsThread) => parentPort!.postMessage(message)

// A thread that ends while the engine works for it ends the process.
process.on('uncaughtException', error => {
  logger.error({ err: error }, 'the analytics thread failed and restarts')
  stop.abort()
})
parentPort!.on('message', (message: ToAnalyticsThread) => {
  if (message === 'stop') return stop.abort()
  if ('reads' in message) {
    reads = message.reads
    return
  }
  const answer = answerCall(answers, message).then(answered => {
    running.delete(answer)
    follow(answered.away)
    // The end interrupts queries; then the next process answers them.
    if (!stop.signal.aborted || answered.error === undefined) tell({ answered })
  })
  running.add(answer)
})
await runIngest(
  {
    store,
    reader: await log.reader(),
    reads: () => reads,
    clock: systemClock,
    kept: { ageMs: settings.analyticsAge, bytes: settings.analyticsBytes },
    onError(message, error) {
      logger.error({ err: error }, message)
      if (error instanceof RecordStoreError) follow(error.code)
    },
    onProgress: progress => tell({ progress }),
  },
  stop.signal,
)
await store.close()
await Promise.all(running)
if (isDamaged) await setAside()
await log.close()
process.exit(0)

/** A file that this thread cannot use any further: the next thread opens it again, or begins another. */
function follow(code: RecordStoreError['code'] | undefined): void {
  if (code !== 'damaged' && code !== 'ended') return
  isDamaged ||= code === 'damaged'
  stop.abort()
}

/** In place of an earlier damaged file, so that they do not add up. */
async function setAside(): Promise<void> {
  for (const end of ['', '.wal']) {
    await rm(`${path}.damaged${end}`, { force: true })
    await rename(`${path}${end}`, `${path}.damaged${end}`).catch(error => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  logger.error(
    `${path} is damaged and is now ${path}.damaged: analytics begin again with the records that the record log still has`,
  )
}

/** Earlier versions kept events and counts in SQLite. The records that the log still has are read again. */
async function removeOldFile(): Promise<void> {
  const old = join(dirname(path), 'analytics.sqlite')
  try {
    for (const end of ['', '-wal', '-shm']) await rm(`${old}${end}`, { force: true })
  } catch (error) {
    logger.warn({ err: error }, `${old} of an earlier version is no longer used and cannot be deleted`)
  }
}
