import { sql } from 'kysely'
import type { Fault, Tx } from '../gate.ts'
import { openStore, type StoreOptions } from '../open-store.ts'
import { type Store, StoreError } from '../port.ts'
import { nodeSqliteDialect } from './dialect.ts'

/**
 * The embedded database: one file that several processes may open at once.
 * @param path of the file; made, with its directory, when absent
 * @throws StoreError `unavailable` when the file cannot be opened or its schema is not ready
 */
export async function openSqliteStore(path: string, options: StoreOptions): Promise<Store> {
  return openStore({ dialect: dialectAt(path), lockWriters: async () => {}, faultOf, clearRemains }, options)
}

/** Writes the file anew, and empties the log beside it, which also holds what the file held. */
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
