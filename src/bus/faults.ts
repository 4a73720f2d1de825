import { busLimits } from '../kit/limits.ts'

/** What went wrong with records, for the log and the metrics. Nothing is lost without one of these. */
export interface RecordLogFault {
  /**
   * `write-failed`: records wait in memory and are tried again. `dropped`: records are lost.
   * `sync-failed`: records are written, but may not survive a power loss. `corrupt`: stored records cannot be read
   * back and are skipped. `quota`: records that nobody had delivered had to make room for new ones. `retention-failed`:
   * stored records could not be removed, and more room is used than the quota allows.
   */
  readonly code: 'write-failed' | 'sync-failed' | 'dropped' | 'corrupt' | 'quota' | 'retention-failed'
  readonly message: string
  /** Records that are lost and that no fault told of before: they add up to all that are. */
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

/** Counts dropped records; tells at once of the first, then of all since, at most once in `busLimits.retryMs`. */
export class DropReport {
  readonly #onFault: OnFault
  /** Not told of yet. */
  #dropped = 0
  #reason = ''
  #pause: NodeJS.Timeout | undefined

  constructor(onFault: OnFault) {
    this.#onFault = onFault
  }

  add(records: number, reason: string): void {
    this.#dropped += records
    this.#reason = reason
    if (this.#pause === undefined) this.#tell()
  }

  writeFailed(cause: unknown): void {
    const message = `log records cannot be written: ${reasonOf(cause)}`
    this.#onFault({ code: 'write-failed', message, dropped: 0, cause })
  }

  /** Tells what it has not told of yet. */
  close(): void {
    clearTimeout(this.#pause)
    this.#pause = undefined
    if (this.#dropped > 0) this.#report()
  }

  #tell(): void {
    this.#pause = undefined
    if (this.#dropped === 0) return
    this.#report()
    this.#pause = setTimeout(() => this.#tell(), busLimits.retryMs).unref()
  }

  #report(): void {
    const dropped = this.#dropped
    this.#dropped = 0
    this.#onFault({ code: 'dropped', message: `log records dropped: ${this.#reason}`, dropped })
  }
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
