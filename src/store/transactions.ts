import { setTimeout as sleep } from 'node:timers/promises'
import { type Dialect, Kysely, type RawBuilder, sql } from 'kysely'
import { storeLimits } from './limits.ts'
import { StoreError } from './port/error.ts'
import type { Schema } from './schema.ts'

/** A connection or an open transaction; queries take either. */
export type Tx = Kysely<Schema>

/** All differences between SQLite and PostgreSQL. */
export interface Backend {
  readonly dialect: Dialect
  /** Locks rows until this transaction ends. Absent: a transaction locks the whole database. */
  readonly hold?: (tx: Tx, rows: Exclude<WriteLock, 'nothing'>) => Promise<void>
  /** Keeps these rows from being deleted until this transaction ends. Absent: nothing else is written meanwhile. */
  readonly keep?: (tx: Tx, table: 'lists', ids: readonly string[]) => Promise<void>
  readonly faultOf: (error: unknown) => Fault
  /** The remedy for an `unavailable` error. Absent: there is none. */
  readonly adviceOn?: (error: unknown) => string | undefined
  /** The database's clock, ms since the epoch, at the moment of the query and not of the transaction's begin. */
  readonly nowMs: RawBuilder<number>
  /**
   * Removes deleted rows from the files; returns false when other processes prevent it. Absent: deleted rows do not
   * remain.
   */
  readonly clearRemains?: (db: Tx) => Promise<boolean>
  readonly maintenance: Maintenance
  /** Absent: the database does not say that something has changed. */
  readonly notices?: Notices
}

export type Row = Readonly<Record<string, unknown>>

/** The parts of maintenance that differ between the databases. */
export interface Maintenance {
  /** Begins a transaction that reads everything as it is at one moment, and does not stop writers. */
  readonly beginReading: string
  /** All rows of a table, in parts of `rowsPerStatement`. To be read in a snapshot. */
  rows(db: Tx, table: keyof Schema): AsyncIterable<readonly Row[]>
  /** Counts the rows whose foreign key names no row. */
  orphans(
    db: Tx,
  ): Promise<readonly { readonly table: string; readonly parent: string; readonly rows: number }[]>
  /** Faults of the files, as the database describes them. */
  damage(db: Tx): Promise<readonly string[]>
}

/** Changes were committed, or the connection was lost and notices may have been missed. */
export type Notice = 'commit' | 'lost'

/** A separate connection for reading changes, on which the database gives notice of them. */
export interface Notices {
  readonly dialect: Dialect
  /** Calls back after a commit with changes, from the first read on, and when the connection was lost. */
  onNotice(callback: (reason: Notice) => void): void
}

/**
 * `busy`: another process holds the lock, nothing was done. `conflict`: a unique or foreign key was violated.
 * `mistake`: one of our queries is wrong.
 */
export type Fault = 'busy' | 'conflict' | 'unavailable' | 'mistake'

/**
 * The write lock of a transaction: the rows that it reads before it decides what to write. Transactions with the same
 * rows run one after the other; others do not wait for them. Only the migration takes `schema`.
 */
export type WriteLock =
  | 'nothing'
  | 'schema'
  | 'crs_releases'
  | { readonly table: 'accounts' | 'zones' | 'lists'; readonly ids: readonly string[] }
  | { readonly table: 'jobs'; readonly ids: readonly number[] }

/** The only access to the database: transactions, retries and the translation of errors. */
export interface Transactions {
  /** @throws StoreError */
  read<T>(work: (db: Tx) => Promise<T>): Promise<T>
  /**
   * One transaction. It takes its write lock first and increments the counters (`announce`, `writeAudit`) last. The
   * change counter puts the commits in the order of their sequence, so that followers miss none.
   * @throws StoreError
   */
  write<T>(held: WriteLock, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Reads everything as it is at one moment. @throws StoreError */
  snapshot<T>(work: (db: Tx) => Promise<T>): Promise<T>
  /** Keeps rows from being deleted until the transaction ends. @returns whether all of them exist */
  keep(tx: Tx, table: 'lists', ids: readonly string[]): Promise<boolean>
  /** The time by the database's clock, which all processes share, ms since the epoch. */
  nowMs(db: Tx): Promise<number>
  close(): Promise<void>
}

export function openTransactions(backend: Backend): Transactions {
  const db = new Kysely<Schema>({ dialect: backend.dialect })
  return {
    read: work => patiently(backend, () => work(db)),
    write: (held, work) =>
      patiently(backend, () =>
        db.transaction().execute(async tx => {
          if (held !== 'nothing') await backend.hold?.(tx, held)
          return work(tx)
        }),
      ),
    snapshot: work =>
      patiently(backend, () =>
        db.connection().execute(async connection => {
          await sql.raw(backend.maintenance.beginReading).execute(connection)
          try {
            return await work(connection)
          } finally {
            await sql`rollback`.execute(connection)
          }
        }),
      ),
    keep: async (tx, table, ids) => {
      if (ids.length === 0) return true
      await backend.keep?.(tx, table, ids)
      const rows = await tx.selectFrom(table).select('id').where('id', 'in', ids).execute()
      return rows.length === ids.length
    },
    async nowMs(tx) {
      const { rows } = await sql<{ now: number }>`select ${backend.nowMs} as now`.execute(tx)
      return rows[0]!.now
    },
    close: () => db.destroy(),
  }
}

/** Retries while the database is busy; a failed `attempt` must leave nothing behind. */
async function patiently<T>(backend: Backend, attempt: () => Promise<T>): Promise<T> {
  const deadlineMs = Date.now() + storeLimits.busyMsMax
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof StoreError) throw error
      const fault = backend.faultOf(error)
      if (fault === 'mistake') throw error
      if (fault !== 'busy' || Date.now() >= deadlineMs) throw translated(backend, fault, error)
    }
    await sleep(5 + Math.random() * 20)
  }
}

function translated(backend: Backend, fault: Exclude<Fault, 'mistake'>, error: unknown): StoreError {
  const reason = error instanceof Error ? error.message : String(error)
  if (fault === 'conflict')
    return new StoreError('conflict', `the database refused: ${reason}`, { cause: error })
  const advice = backend.adviceOn?.(error)
  const message =
    advice === undefined
      ? `the database does not answer: ${reason}`
      : `the database cannot be used: ${reason}: ${advice}`
  return new StoreError('unavailable', message, { cause: error })
}
