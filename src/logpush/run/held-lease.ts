import type { Lease } from '../../store/port/delivery.ts'
import { StoreError } from '../../store/port/error.ts'

/** A lease, while this process has it. */
export class HeldLease {
  readonly lease: Lease
  readonly #lost = new AbortController()
  readonly #confirm: () => Promise<void>
  readonly #uploads = new Set<Promise<unknown>>()

  /** @param confirm asks the database if the last answer is too old, and marks lost leases */
  constructor(lease: Lease, confirm: () => Promise<void>) {
    this.lease = lease
    this.#confirm = confirm
  }

  /** Aborted when another process has taken over, and when this one ends. */
  get signal(): AbortSignal {
    return this.#lost.signal
  }

  get isLost(): boolean {
    return this.#lost.signal.aborted
  }

  lose(): void {
    this.#lost.abort()
  }

  /** Runs an upload, up to the close of its batch. The lease is not freed before it has ended. */
  async upload<T>(work: () => Promise<T>): Promise<T> {
    const upload = work()
    this.#uploads.add(upload)
    try {
      return await upload
    } finally {
      this.#uploads.delete(upload)
    }
  }

  /** Resolves when the uploads in progress have ended. */
  async uploaded(): Promise<void> {
    await Promise.allSettled(this.#uploads)
  }

  /**
   * Call this before anything is sent: this process may have been suspended for longer than its lease.
   * @throws StoreError `fenced`
   */
  async require(): Promise<void> {
    if (!this.isLost) await this.#confirm()
    if (this.isLost) throw new StoreError('fenced', `another process delivers job ${this.lease.jobId} now`)
  }
}

/** The store has refused a write, because another process has the lease. */
export function isFenced(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'fenced'
}
