import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const retryMs = 20

/**
 * Locks a file against every other process of this machine. The lock is SQLite's on an empty file. It is the system's
 * own lock, so it ends with the process in every case and never becomes stale.
 * @param path created when absent; its folder exists
 * @param waitMs how long to wait for another process to release it
 * @returns releases the lock; undefined when another process has it
 * @throws the system's error when the file cannot be created or locked
 */
export async function lockFile(path: string, waitMs: number): Promise<(() => void) | undefined> {
  const deadlineMs = performance.now() + waitMs
  const database = new DatabaseSync(path, { timeout: 0 })
  for (;;) {
    try {
      // Without a journal, so that it needs no disk space: nothing is ever written.
      database.exec('pragma journal_mode = memory')
      database.exec('begin exclusive')
      return () => database.close()
    } catch (error) {
      const busy = isBusy(error)
      if (!busy || performance.now() >= deadlineMs) {
        database.close()
        if (busy) return undefined
        throw error
      }
    }
    await sleep(retryMs)
  }
}

/** SQLITE_BUSY, with or without its extended code. */
function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: unknown }).errcode
  return typeof code === 'number' && (code & 0xff) === 5
}
