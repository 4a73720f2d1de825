import { setTimeout as sleep } from 'node:timers/promises'
import type { Dialect } from 'kysely'
import { Kysely } from 'kysely'
import { storeLimits } from '../kit/limits.ts'
import { StoreError } from './port.ts'
import type { Schema } from './schema.ts'

/** A connection or an open transaction; queries take either. */
export type Tx = Kysely<Schema>

/** All that differs between SQLite and PostgreSQL. */
export interface Backend {
  readonly dialect: Dialect
  /** Makes every other writer wait until this transaction ends. */
  readonly lockWriters: (tx: Tx) => Promise<void>
  readonly faultOf: (error: unknown) => Fault
  /** Takes what was deleted out of the files; returns false when others are in the way. Absent: it is out of them anyway. */
  readonly clearRemains?: (db: Tx) => Promise<boolean>
}

/**
 * `busy`: another process holds the lock, nothing was done. `conflict`: a unique or foreign key says no.
 * `mistake`: a query of ours is wrong.
 */
export type Fault = 'busy' | 'conflict' | 'unavailable' | 'mistake'

/** The one way to the database: transactions, retries and the translation of errors. */
export interface Gate {
  /** @throws StoreError */
  read<T>(work: (db: Tx) => Promise<T>): Promise<T>
  /**
   * One transaction. Writers go one after the other (reads do not wait), so that the sequence of the
   * changes is the order of the commits and nobody who follows them can miss one.
   * @throws StoreError
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function openGate(backend: Backend): Gate {
  const db = new Kysely<Schema>({ dialect: backend.dialect })
  return {
    read: work => patiently(backend, () => work(db)),
    write: work =>
      patiently(backend, () =>
        db.transaction().execute(async tx => {
          await backend.lockWriters(tx)
          return work(tx)
        }),
      ),
    close: () => db.destroy(),
  }
}

/** Tries again while the database is busy; `attempt` must leave nothing behind when it fails. */
async function patiently<T>(backend: Backend, attempt: () => Promise<T>): Promise<T> {
  const deadlineMs = Date.now() + storeLimits.busyMsMax
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof StoreError) throw error
      const fault = backend.faultOf(error)
      if (fault === 'mistake') throw error
      if (fault !== 'busy' || Date.now() >= deadlineMs) throw translated(fault, error)
    }
    await sleep(5 + Math.random() * 20)
  }
}

function translated(fault: Exclude<Fault, 'mistake'>, error: unknown): StoreError {
  const reason = error instanceof Error ? error.message : String(error)
  if (fault === 'conflict')
    return new StoreError('conflict', `the database refused: ${reason}`, { cause: error })
  return new StoreError('unavailable', `the database does not answer: ${reason}`, { cause: error })
}
