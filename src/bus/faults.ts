import { busLimits } from '../kit/limits.ts'

/** What went wrong with records, for the log and the metrics. Nothing is lost without one of these. */
export interface RecordLogFault {
  /**
   * `write-failed`: records wait in memory and are tried again. `dropped`: records are lost.
   * `corrupt`: stored records cannot be read back and are skipped.
   */
  readonly code: 'write-failed' | 'dropped' | 'corrupt'
  readonly message: string
  /** Records dropped by this writer or reader since it was opened. */
  readonly dropped: number
  readonly cause?: unknown
}

export type OnFault = (fault: RecordLogFault) => void

/** A log, partition or server cannot be used. */
export class RecordLogError extends Error {
  /** `locked`: another process writes this partition. `write-failed`: not durable yet; still queued. */
  readonly code: 'locked' | 'write-failed' | 'unavailable'
  constructor(code: 'locked' | 'write-failed' | 'unavailable', message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'RecordLogError'
    this.code = code
  }
}

/** Counts dropped records; tells at once of the first, then at most once in `busLimits.retryMs`. */
export class DropReport {
  readonly #onFault: OnFault
  #dropped = 0
  #toldMs = Number.NEGATIVE_INFINITY

  constructor(onFault: OnFault) {
    this.#onFault = onFault
  }

  get dropped(): number {
    return this.#dropped
  }

  add(records: number, reason: string): void {
    this.#dropped += records
    const nowMs = performance.now()
    if (nowMs - this.#toldMs < busLimits.retryMs) return
    this.#toldMs = nowMs
    this.#onFault({ code: 'dropped', message: `log records dropped: ${reason}`, dropped: this.#dropped })
  }

  writeFailed(cause: unknown): void {
    const reason = cause instanceof Error ? cause.message : String(cause)
    this.#onFault({
      code: 'write-failed',
      message: `log records cannot be written: ${reason}`,
      dropped: this.#dropped,
      cause,
    })
  }
}
