import { PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { storeLimits } from '../../kit/limits.ts'
import type { Fault } from '../gate.ts'
import { openStore, type StoreOptions } from '../open-store.ts'
import type { Store } from '../port.ts'

/** Key of the advisory lock that puts writers in a row: `sluice` in ASCII. */
const writersLock = 0x736c75696365

/**
 * A PostgreSQL database; made for Sluice alone, but not by it.
 * @param url `postgres://user:password@host:port/database`
 * @throws StoreError `unavailable` when it does not answer or its schema is not ready
 */
export async function openPostgresStore(url: string, options: StoreOptions): Promise<Store> {
  return openStore(
    {
      dialect: new PostgresDialect({ pool: poolOf(url) }),
      lockWriters: async tx => {
        await sql`select pg_advisory_xact_lock(${sql.lit(writersLock)})`.execute(tx)
      },
      faultOf,
    },
    options,
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
  return unavailableClasses.has(code.slice(0, 2)) ? 'unavailable' : 'mistake'
}

/** The driver's own errors carry the system's code (`ECONNREFUSED`) or only words. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return 'syscall' in error || 'errors' in error || /connect|timeout|timed out/i.test(error.message)
}

/** Connection, authorization, database name, read only, rollback, resources, intervention, system. */
const unavailableClasses: ReadonlySet<string> = new Set(['08', '28', '3D', '25', '40', '53', '57', '58'])
