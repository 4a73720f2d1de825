import { join } from 'node:path'
import { type ChangeFeed, createChangeFeed, openLocalRecordLog, openNatsRecordLog, type RecordLog } from '../bus/index.ts'
import type { Settings } from '../model/settings.ts'
import { openPostgresStore, openSqliteStore, type Store } from '../store/index.ts'

/** The only place that picks SQLite or PostgreSQL. Only the control role migrates. */
export function openStore(settings: Settings): Promise<Store> {
  const options = { migrate: settings.roles.has('control') }
  if (settings.databaseUrl !== undefined) return openPostgresStore(settings.databaseUrl, options)
  return openSqliteStore(join(settings.data, 'sluice.db'), options)
}

/** The only place that picks the local spool or NATS. */
export function openRecordLog(settings: Settings): Promise<RecordLog> {
  if (settings.natsUrl !== undefined) return openNatsRecordLog(settings.natsUrl)
  return openLocalRecordLog(join(settings.data, 'spool'))
}
