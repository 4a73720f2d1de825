import { join } from 'node:path'
import { type OnFault, openLocalRecordLog, openNatsRecordLog, type RecordLog } from '../bus/index.ts'
import type { Settings } from '../model/settings.ts'
import { openPostgresStore, openSqliteStore, type Store } from '../store/index.ts'

/** The only place that picks SQLite or PostgreSQL. Only the control role migrates. */
export function openStore(settings: Settings, migrate = settings.roles.has('control')): Promise<Store> {
  if (settings.databaseUrl !== undefined) return openPostgresStore(settings.databaseUrl, { migrate })
  return openSqliteStore(join(settings.data, 'sluice.db'), { migrate })
}

/** The only place that picks the local spool or NATS. */
export async function openRecordLog(settings: Settings, onFault: OnFault): Promise<RecordLog> {
  if (settings.natsUrl !== undefined) return openNatsRecordLog(settings.natsUrl, onFault)
  return openLocalRecordLog(join(settings.data, 'spool'), onFault)
}
