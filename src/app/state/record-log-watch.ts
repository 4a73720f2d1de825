import type { RecordReader } from '../../bus/index.ts'
import { timestampOf } from '../../kit/clock.ts'
import type { Logger } from '../observe/logger.ts'

export interface RecordLogWatch {
  /** A sentence for people; undefined while the log can be read. */
  readonly problem: string | undefined
  stop(): void
}

/**
 * Looks at intervals whether the record log can be read: a process that reads it also starts and runs while its servers are
 * away, or have no leader. An outage has one line in the log, and its end another.
 * @param everyMs tests use a shorter interval
 */
export function watchRecordLog(
  reader: Pick<RecordReader, 'partitions'>,
  logger: Logger,
  everyMs = 5000,
): RecordLogWatch {
  let awaySinceMs: number | undefined
  let isLooking = false
  let isStopped = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    try {
      await reader.partitions()
      if (awaySinceMs !== undefined) logger.info('the record log can be read again')
      awaySinceMs = undefined
    } catch (error) {
      // The log may be closed under the last look.
      if (isStopped) return
      if (awaySinceMs === undefined)
        logger.error({ err: error }, 'the record log cannot be read; delivery and analytics wait for it')
      awaySinceMs ??= Date.now()
    } finally {
      isLooking = false
    }
  }
  void look()
  const timer = setInterval(look, everyMs)
  return {
    get problem() {
      if (awaySinceMs === undefined) return undefined
      return `the record log cannot be read since ${timestampOf(awaySinceMs)}; delivery and analytics wait for it`
    },
    stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
}
