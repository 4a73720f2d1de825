import { PostgresDialect, sql } from 'kysely'
import type { Cipher } from '../../kit/cipher.ts'
import { type Database, openDatabase } from '../maintenance/database.ts'
import { migrate } from '../migrations/migrate.ts'
import { openStore, type StoreOptions } from '../open-store.ts'
import type { Store } from '../port.ts'
import type { Backend, Tx, WriteLock } from '../transactions.ts'
import { adviceOn, faultOf } from './faults.ts'
import { postgresMaintenance } from './maintenance.ts'
import { openNotices } from './notices.ts'
import { type PoolOptions, poolOf } from './pool.ts'

/** Key of the advisory lock that serialises migrations: `sluice` in ASCII. */
const schemaLock = 0x736c75696365

export interface PostgresOptions extends StoreOptions {
  /** Connections at most, from 2: one of them reads changes and hears of them. */
  readonly connections: number
}

/**
 * A PostgreSQL database that is used by Sluice only; its operator creates it.
 * @param url `postgres://user:password@host:port/database`
 * @throws StoreError `unavailable` when it does not answer or its schema is not ready
 */
export async function openPostgresStore(url: string, options: PostgresOptions): Promise<Store> {
  if (options.migrate) await migrateAt(url, options.cipher)
  const backend = postgresBackend(url, { connections: options.connections - 1 })
  return openStore({ ...backend, notices: openNotices(url) }, { ...options, migrate: false })
}

/** For maintenance, whose statements take as long as they need. @param url as in `openPostgresStore` */
export function openPostgresDatabase(url: string): Database {
  return openDatabase(postgresBackend(url, { connections: 1, isPatient: true }))
}

async function migrateAt(url: string, cipher: Cipher): Promise<void> {
  const database = openPostgresDatabase(url)
  try {
    await migrate(database.transactions, cipher)
  } finally {
    await database.close()
  }
}

function postgresBackend(url: string, options: PoolOptions): Backend {
  return {
    dialect: new PostgresDialect({ pool: poolOf(url, options) }),
    hold,
    keep: async (tx, table, ids) => {
      await sql`select id from ${sql.table(table)} where id = any(${ids}) order by id for key share`.execute(
        tx,
      )
    },
    faultOf,
    adviceOn,
    nowMs: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    maintenance: postgresMaintenance,
  }
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
