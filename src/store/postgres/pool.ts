import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { storeLimits } from '../limits.ts'

export interface PoolOptions {
  /** Connections at most. */
  readonly connections: number
  /** A statement may take as long as it needs, as those of maintenance do. */
  readonly isPatient?: boolean
  /** Prepares each connection before its first statement. */
  readonly onConnect?: (client: pg.ClientBase) => Promise<void>
  /** A connection has ended. */
  readonly onLost?: () => void
}

/** Connections to one database, made when they are needed. The last one stays, so that an idle process answers at once. */
export function poolOf(
  url: string,
  { connections, isPatient, onConnect, onLost = () => {} }: PoolOptions,
): PostgresPool {
  const timeouts = {
    statement_timeout: storeLimits.postgresStatementMsMax,
    idle_in_transaction_session_timeout: storeLimits.postgresStatementMsMax,
    query_timeout: storeLimits.postgresAnswerMsMax,
  }
  const pool = new pg.Pool({
    connectionString: withModesOfLibpq(url),
    application_name: 'sluice',
    min: 1,
    max: connections,
    connectionTimeoutMillis: storeLimits.postgresConnectMsMax,
    ...(isPatient ? {} : timeouts),
    keepAlive: true,
    keepAliveInitialDelayMillis: storeLimits.postgresKeepAliveMs,
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
    ...(onConnect === undefined ? {} : { onConnect }),
  })
  // A connection that breaks, idle or in use, must fail its query and not the process.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  pool.on('remove', onLost)
  return {
    async connect() {
      const client = await pool.connect()
      let broken: unknown
      const query = async (text: string, values: readonly unknown[]) => {
        // Else the rollback after a query without an answer waits as long again.
        if (broken !== undefined) throw broken
        try {
          return await client.query(text, [...values])
        } catch (error) {
          // An error of the server leaves the connection usable. After any other, its state is unknown.
          if (!(error instanceof pg.DatabaseError)) broken = error
          throw error
        }
      }
      return {
        query: query as unknown as PostgresPoolClient['query'],
        release: () => client.release(broken !== undefined),
      }
    },
    end: () => pool.end(),
  }
}

/** Without it, the client library verifies certificates in the mode `require`, and warns that this will change. */
function withModesOfLibpq(url: string): string {
  const parsed = new URL(url)
  if (parsed.searchParams.has('sslmode')) parsed.searchParams.set('uselibpqcompat', 'true')
  return parsed.href
}

/** Our 64-bit integers are counters far below 2^53. */
function typeParser(oid: number, format?: 'text' | 'binary'): unknown {
  return oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')
}
