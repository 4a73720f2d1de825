import { PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { storeLimits } from '../limits.ts'
import { openStore, type StoreOptions } from '../open-store.ts'
import type { Store } from '../port.ts'
import type { Fault, Tx, WriteLock } from '../transactions.ts'

/** Key of the advisory lock that serialises migrations: `sluice` in ASCII. */
const schemaLock = 0x736c75696365

/**
 * A PostgreSQL database that is used by Sluice only; somebody else creates it.
 * @param url `postgres://user:password@host:port/database`
 * @throws StoreError `unavailable` when it does not answer or its schema is not ready
 */
export async function openPostgresStore(url: string, options: StoreOptions): Promise<Store> {
  return openStore(
    {
      dialect: new PostgresDialect({ pool: poolOf(url) }),
      hold,
      keep: async (tx, table, ids) => {
        await sql`select id from ${sql.table(table)} where id = any(${ids}) order by id for key share`.execute(
          tx,
        )
      },
      faultOf,
      nowMs: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    },
    options,
  )
}

/**
 * Locks rows in the order of their ids, so that transactions that lock several do not deadlock. Rows that refer to
 * the locked ones can still be written.
 * @source PostgreSQL manual, 13.3: explicit locking
 */
async function hold(tx: Tx, held: Exclude<WriteLock, 'nothing'>): Promise<void> {
  if (held === 'schema') await sql`select pg_advisory_xact_lock(${sql.lit(schemaLock)})`.execute(tx)
  else if (held === 'crs_releases') await sql`lock table crs_releases in share row exclusive mode`.execute(tx)
  else
    await sql`select id from ${sql.table(held.table)} where id = any(${held.ids}) order by id for no key update`.execute(
      tx,
    )
}

function poolOf(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: storeLimits.postgresConnectionsMax,
    connectionTimeoutMillis: storeLimits.postgresConnectMsMax,
    statement_timeout: storeLimits.postgresStatementMsMax,
    idle_in_transaction_session_timeout: storeLimits.postgresStatementMsMax,
    keepAlive: true,
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
  })
  // A connection that breaks, idle or in use, must fail its query and not the process.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

/** Our 64-bit integers are counters far below 2^53. */
function typeParser(oid: number, format?: 'text' | 'binary'): unknown {
  return oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')
}

/** @source PostgreSQL manual, appendix A: the first two characters of a code are its class */
function faultOf(error: unknown): Fault {
  if (!(error instanceof pg.DatabaseError)) return isConnectionError(error) ? 'unavailable' : 'mistake'
  const code = error.code ?? ''
  if (code === '23505' || code === '23503') return 'conflict'
  // Deadlock: the server rolled one transaction back.
  if (code === '40P01') return 'busy'
  return unavailableClasses.has(code.slice(0, 2)) ? 'unavailable' : 'mistake'
}

/** The driver's own errors carry the system's code (`ECONNREFUSED`) or only a message. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return 'syscall' in error || 'errors' in error || /connect|timeout|timed out/i.test(error.message)
}

/** Connection, authorization, database name, read only, rollback, resources, intervention, system. */
const unavailableClasses: ReadonlySet<string> = new Set(['08', '28', '3D', '25', '40', '53', '57', '58'])
