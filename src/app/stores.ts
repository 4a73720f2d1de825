import { join } from 'node:path'
import { type OnFault, openLocalRecordLog, openNatsRecordLog, type RecordLog } from '../bus/index.ts'
import { CipherError, newCipher } from '../kit/cipher.ts'
import type { Settings } from '../model/settings.ts'
import { openPostgresStore, openSqliteStore, type Store, StoreError } from '../store/index.ts'
import { SecretKeyError, secretKey } from './secret-key.ts'

/**
 * The only place that picks SQLite or PostgreSQL, and the key of what is encrypted there.
 * @param migrate bring the schema up to date first, and make a key if the database is embedded: the control role's part
 */
export async function openStore(settings: Settings, migrate: boolean): Promise<Store> {
  const embedded = settings.databaseUrl === undefined
  const cipher = newCipher(await secretKey(settings, migrate && embedded))
  if (!embedded) return openPostgresStore(settings.databaseUrl, { migrate, cipher })
  return openSqliteStore(join(settings.data, 'sluice.db'), { migrate, cipher })
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
      if (Date.now() > deadline || isFinal(error, settings)) throw error
      await new Promise(resolve => setTimeout(resolve, preparedRetryMs))
    }
  }
}

/** Waiting gives no other key; only an embedded database has one made for it. */
function isFinal(error: unknown, settings: Settings): boolean {
  if (error instanceof SecretKeyError) return settings.databaseUrl !== undefined
  return error instanceof StoreError && error.cause instanceof CipherError
}

/** The only place that picks the local spool or NATS. */
export async function openRecordLog(settings: Settings, onFault: OnFault): Promise<RecordLog> {
  const policy = { sync: settings.spoolSync, bytes: settings.spoolBytes, ageMs: settings.spoolAge }
  if (settings.natsUrl !== undefined) return openNatsRecordLog(settings.natsUrl, onFault, policy)
  return openLocalRecordLog(join(settings.data, 'spool'), onFault, policy)
}
