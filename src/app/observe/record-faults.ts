import type { OnFault } from '../../bus/index.ts'
import type { Logger } from './logger.ts'
import { countDropped } from './metrics.ts'

/** Reports faults of records in the log and the metrics: none is lost silently. */
export function recordFaults(logger: Logger): OnFault {
  return fault => {
    countDropped(fault.code, fault.dropped)
    logger.error({ code: fault.code, dropped: fault.dropped, err: fault.cause }, fault.message)
  }
}
