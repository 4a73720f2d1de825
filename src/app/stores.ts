import { join } from 'node:path'
import { type OnFault, openLocalRecordLog, openNatsRecordLog, type RecordLog } from '../bus/index.ts'
import type { Settings } from '../model/settings.ts'
import { openPostgresStore, openSqliteStore, type Store } from '../store/index.ts'

/**
 * The only place that picks SQLite or PostgreSQL.
 * @param migrate bring the schema up to date first: the control role's part
 */
export function openStore(settings: Settings, migrate: boolean): Promise<Store> {
  if (settings.databaseUrl !== undefined) return openPostgresStore(settings.databaseUrl, { migrate })
  return openSqliteStore(join(settings.data, 'sluice.db'), { migrate })
}

/** How often, and how long, roles without control ask whether control has made the schema. */
const preparedRetryMs = 200
const preparedWaitMs = 30_000

/** Opens the database for roles that do not migrate it: at a first start the control role may still be at it. */
export async function openPreparedStore(settings: Settings): Promise<Store> {
  const deadline = Date.now() + preparedWaitMs
  for (;;) {
    try {
      return await openStore(settings, false)
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise(resolve => setTimeout(resolve, preparedRetryMs))
    }
  }
}

/** The only place that picks the local spool or NATS. */
export async function openRecordLog(settings: Settings, onFault: OnFault): Promise<RecordLog> {
  const policy = { sync: settings.spoolSync, bytes: settings.spoolBytes, ageMs: settings.spoolAge }
  if (settings.natsUrl !== undefined) return openNatsRecordLog(settings.natsUrl, onFault, policy)
  return openLocalRecordLog(join(settings.data, 'spool'), onFault, policy)
}
