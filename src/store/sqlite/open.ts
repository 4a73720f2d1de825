import { sql } from 'kysely'
import { type Database, openDatabase } from '../maintenance/database.ts'
import { openStore, type StoreOptions } from '../open-store.ts'
import { StoreError } from '../port/error.ts'
import type { Store } from '../port.ts'
import type { Backend, Fault, Tx } from '../transactions.ts'
import { nodeSqliteDialect } from './dialect.ts'
import { sqliteMaintenance } from './maintenance.ts'

/**
 * The embedded database: one file that several processes may open at once.
 * @param path of the file; created, with its directory, when absent
 * @throws StoreError `unavailable` when the file cannot be opened or its schema is not ready
 */
export async function openSqliteStore(path: string, options: StoreOptions): Promise<Store> {
  return openStore(sqliteBackend(path), options)
}

/** For maintenance. @param path as in `openSqliteStore` */
export function openSqliteDatabase(path: string): Database {
  return openDatabase(sqliteBackend(path))
}

function sqliteBackend(path: string): Backend {
  return { dialect: dialectAt(path), faultOf, nowMs, clearRemains, maintenance: sqliteMaintenance }
}

const nowMs = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`

/** Rewrites the file, and empties the write-ahead log, which holds earlier content too. */
async function clearRemains(db: Tx): Promise<boolean> {
  await sql`vacuum`.execute(db)
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
  return rows[0]?.busy === 0
}

function dialectAt(path: string): ReturnType<typeof nodeSqliteDialect> {
  try {
    return nodeSqliteDialect(path)
  } catch (error) {
    throw new StoreError('unavailable', `cannot open the database ${path}`, { cause: error })
  }
}

/** @source SQLite result codes: the low byte is the primary code */
function faultOf(error: unknown): Fault {
  const code = (error as { errcode?: unknown }).errcode
  if (typeof code !== 'number') return 'mistake'
  if (conflictCodes.has(code)) return 'conflict'
  const primary = code & 0xff
  if (primary === 5 || primary === 6) return 'busy'
  return unavailableCodes.has(primary) ? 'unavailable' : 'mistake'
}

/** Foreign key, primary key, unique. */
const conflictCodes: ReadonlySet<number> = new Set([787, 1555, 2067])

/** Permission, no memory, read only, I/O, corrupt, full, cannot open, lock protocol, not a database. */
const unavailableCodes: ReadonlySet<number> = new Set([3, 7, 8, 10, 11, 13, 14, 15, 26])
