import pg from 'pg'
import type { Fault } from '../transactions.ts'

/** @source PostgreSQL manual, appendix A: the first two characters of a code are its class */
export function faultOf(error: unknown): Fault {
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
  return (
    'syscall' in error ||
    'errors' in error ||
    /connect|timeout|timed out|certificate|SSL/i.test(error.message)
  )
}

/** Connection, authorization, database name, read only, rollback, resources, intervention, system. */
const unavailableClasses: ReadonlySet<string> = new Set(['08', '28', '3D', '25', '40', '53', '57', '58'])

/** The remedy for an error that makes the database unavailable, where there is one. */
export function adviceOn(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return advice[error.code ?? '']
  const isWaiting = error instanceof Error && error.message === 'timeout exceeded when trying to connect'
  return isWaiting
    ? 'the server does not answer, or all connections of this process are in use; if that is usual, raise SLUICE_DATABASE_CONNECTIONS'
    : undefined
}

/** By SQLSTATE. */
const advice: Readonly<Record<string, string>> = {
  '28000': 'correct the user and password of SLUICE_DATABASE_URL, or pg_hba.conf of the server',
  '28P01': 'correct the user and password of SLUICE_DATABASE_URL',
  '3D000': 'create the database, or correct its name in SLUICE_DATABASE_URL',
  '53300': 'raise max_connections of the server, or lower SLUICE_DATABASE_CONNECTIONS',
  '57014': 'the statement took too long; look for locks and load on the server',
  '25006': 'the server only reads, as a standby does; name the primary in SLUICE_DATABASE_URL',
}
