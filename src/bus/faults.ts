import { busLimits } from './limits.ts'

/** A problem with records, for the log and the metrics. Every loss of records is reported by one. */
export interface RecordLogFault {
  /**
   * `write-failed`: records wait in memory, or in the spool for NATS, and the write is repeated. `dropped`: records are lost. `sync-failed`:
   * records are written, but may not survive a power loss. `corrupt`: stored records cannot be read back and are
   * skipped. `quota`: undelivered records were deleted because the quota was used up. `retention-failed`: stored
   * records could not be removed, and the spool exceeds its quota. `reset`: the log ends before a position up to
   * which it was read; it is read from its start.
   */
  readonly code:
    | 'write-failed'
    | 'sync-failed'
    | 'dropped'
    | 'corrupt'
    | 'quota'
    | 'retention-failed'
    | 'reset'
  readonly message: string
  /** Lost records that no earlier fault reported: the sum over all faults is the total loss. */
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

/**
 * Reports faults that can repeat: the first at once, later ones together, at most once in `busLimits.faultsToldMs`
 * for each kind.
 */
export class FaultReport {
  readonly #onFault: OnFault
  /** Not reported yet. */
  #dropped = 0
  #reason = ''
  #pause: NodeJS.Timeout | undefined
  readonly #toldMs = new Map<RepeatedFault, number>()

  constructor(onFault: OnFault) {
    this.#onFault = onFault
  }

  add(records: number, reason: string): void {
    this.#dropped += records
    this.#reason = reason
    if (this.#pause === undefined) this.#reportAtIntervals()
  }

  writeFailed(cause: unknown): void {
    this.#failed('write-failed', 'log records cannot be written', cause)
  }

  notForwarded(cause: unknown): void {
    this.#failed('write-failed', 'log records wait in the spool, because NATS does not take them', cause)
  }

  retentionFailed(cause: unknown): void {
    this.#failed('retention-failed', 'old log records cannot be removed', cause)
  }

  #failed(code: RepeatedFault, what: string, cause: unknown): void {
    const nowMs = performance.now()
    if (nowMs - (this.#toldMs.get(code) ?? Number.NEGATIVE_INFINITY) < busLimits.faultsToldMs) return
    this.#toldMs.set(code, nowMs)
    this.#onFault({ code, message: `${what}: ${reasonOf(cause)}`, dropped: 0, cause })
  }

  /** Reports the faults that are not reported yet. */
  close(): void {
    clearTimeout(this.#pause)
    this.#pause = undefined
    if (this.#dropped > 0) this.#report()
  }

  #reportAtIntervals(): void {
    this.#pause = undefined
    if (this.#dropped === 0) return
    this.#report()
    this.#pause = setTimeout(() => this.#reportAtIntervals(), busLimits.faultsToldMs).unref()
  }

  #report(): void {
    const dropped = this.#dropped
    this.#dropped = 0
    this.#onFault({ code: 'dropped', message: `log records dropped: ${this.#reason}`, dropped })
  }
}

type RepeatedFault = 'write-failed' | 'retention-failed'

export function reasonOf(cause: unknown): string {
  // A host with several addresses, each of which has failed; this error has no message itself.
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0])
  return cause instanceof Error ? cause.message : String(cause)
}
