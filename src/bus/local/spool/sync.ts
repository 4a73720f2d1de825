import { closeSync, fdatasync, fsync } from 'node:fs'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { SpoolSync } from '../../../model/settings/index.ts'
import { busLimits } from '../../limits.ts'

const syncData = promisify(fdatasync)
const syncAll = promisify(fsync)

interface Waiter {
  readonly upTo: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Syncs written bytes to the disk, in the thread pool, one run at a time. Writes continue meanwhile; those during a
 * run share the next one.
 */
export class SpoolSyncer {
  readonly #policy: SpoolSync
  readonly #directory: string
  readonly #onFailure: (error: unknown) => void
  /** Segments that are full; closed after their last sync. */
  readonly #retired: { readonly fd: number; readonly sync: boolean }[] = []
  #fd: number
  /** Whether a sync of the current segment failed: later syncs of it prove nothing. */
  #failed = false
  /** Whether the directory has an entry that may not be on disk. */
  #newEntry = true
  #written = 0
  #synced = 0
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #waiters = new Set<Waiter>()

  /** @param onFailure bytes written since the last success may not survive a power loss */
  constructor(policy: SpoolSync, directory: string, fd: number, onFailure: (error: unknown) => void) {
    this.#policy = policy
    this.#directory = directory
    this.#fd = fd
    this.#onFailure = onFailure
  }

  /** Bytes were written to the current segment. */
  wrote(): void {
    this.#written++
    if (this.#policy === 'always') this.#start()
    else if (this.#policy === 'interval') {
      this.#timer ??= setTimeout(() => this.#start(), busLimits.syncIntervalMs).unref()
    }
  }

  /** Resolves when all bytes written so far are as safe as the policy requires. */
  flushed(): Promise<void> {
    if (this.#policy !== 'always' || this.#synced === this.#written) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#waiters.add({ upTo: this.#written, resolve, reject })
    })
  }

  /** Continues with a new segment; the previous one is closed here once it is on disk. */
  next(fd: number): void {
    if (this.#policy === 'never') closeSync(this.#fd)
    else this.#retired.push({ fd: this.#fd, sync: !this.#failed })
    this.#fd = fd
    this.#failed = false
    this.#newEntry = true
  }

  /** Syncs the remaining bytes, and closes the segment. Nothing is written after this. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    // A run in progress may have begun before the last writes.
    await this.#running
    if (this.#policy !== 'never' && this.#synced < this.#written) this.#start()
    // A run may start another one.
    while (this.#running !== undefined) await this.#running
    for (const { fd } of this.#retired) closeSync(fd)
    closeSync(this.#fd)
  }

  #start(): void {
    this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const upTo = this.#written
    let failure: { readonly error: unknown } | undefined
    try {
      await this.#sync()
    } catch (error) {
      failure = { error }
    }
    // After a failure too: the system may have discarded these bytes, and syncing again would only appear to succeed.
    this.#synced = upTo
    this.#running = undefined
    if (failure !== undefined) {
      this.#failed = true
      this.#onFailure(failure.error)
    }
    for (const waiter of this.#waiters) {
      if (waiter.upTo > upTo) continue
      this.#waiters.delete(waiter)
      if (failure === undefined) waiter.resolve()
      else waiter.reject(failure.error)
    }
    if (this.#policy === 'always' && this.#written > upTo) this.#start()
  }

  async #sync(): Promise<void> {
    const newEntry = this.#newEntry
    this.#newEntry = false
    // Older ones first: an existing segment implies that all before it exist.
    while (this.#retired.length > 0) {
      const { fd, sync } = this.#retired.shift()!
      try {
        if (sync) await syncData(fd)
      } finally {
        closeSync(fd)
      }
    }
    // Not the segment of the beginning, which may have been retired meanwhile.
    await syncData(this.#fd)
    if (newEntry) await syncDirectory(this.#directory)
  }
}

/** Makes entries of a directory survive a power loss. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await syncAll(handle.fd)
  } finally {
    await handle.close()
  }
}
