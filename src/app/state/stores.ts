import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Cipher, CipherError, newCipher } from '../../kit/cipher.ts'
import { parseDatabaseUrl, type Settings } from '../../model/settings/index.ts'
import {
  type Database,
  openPostgresDatabase,
  openPostgresStore,
  openSqliteDatabase,
  openSqliteStore,
  type Store,
  StoreError,
} from '../../store/index.ts'
import { storeWaitLimits } from '../limits.ts'
import { SecretKeyError, secretKey } from './secret-key.ts'

/**
 * The only code that chooses between SQLite and PostgreSQL, and opens the key for encrypted values.
 * @param migrate migrates the schema first, and generates a key for an embedded database, as the control role does
 * @param isAway as in `StoreOptions`, for PostgreSQL
 */
export async function openStore(settings: Settings, migrate: boolean, isAway = false): Promise<Store> {
  const embedded = settings.databaseUrl === undefined
  const cipher = newCipher(await secretKey(settings, migrate && embedded))
  if (!embedded)
    return openPostgresStore(settings.databaseUrl, {
      migrate,
      isAway,
      cipher,
      connections: settings.databaseConnections,
    })
  return openSqliteStore(databaseFile(settings.data), { migrate, cipher })
}

/** Whether no start has created the file of the embedded database yet. */
export function databaseIsMissing({ data, databaseUrl }: Settings): boolean {
  return databaseUrl === undefined && !existsSync(databaseFile(data))
}

function databaseFile(data: string): string {
  return join(data, 'sluice.db')
}

/**
 * A database for maintenance: of the settings, or at an address.
 * @param address `sqlite:PATH`, of the file or its data directory, or the URL of PostgreSQL
 * @param isNew whether an absent file is to be created
 * @throws Error that names the address, if it is of another form or there is no file
 */
export async function openDatabase(
  settings: Settings,
  address: string | undefined,
  isNew = false,
): Promise<Database> {
  const wanted = address ?? settings.databaseUrl ?? `sqlite:${settings.data}`
  if (!wanted.startsWith('sqlite:')) {
    if (parseDatabaseUrl(wanted) !== undefined) return openPostgresDatabase(wanted)
    throw new Error('name a database as sqlite:PATH, or as postgres://… like in SLUICE_DATABASE_URL')
  }
  const path = wanted.slice('sqlite:'.length)
  const isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const file = isDirectory ? databaseFile(path) : path
  if (!isNew && !existsSync(file)) throw new Error(`there is no database ${file}`)
  return openSqliteDatabase(file)
}

/** The key of an existing installation. @throws SecretKeyError */
export async function installedKey(settings: Settings): Promise<Uint8Array> {
  return secretKey(settings, false)
}

/** The cipher of an existing installation. @throws SecretKeyError */
export async function installedCipher(settings: Settings): Promise<Cipher> {
  return newCipher(await installedKey(settings))
}

/** Interval and total time in which roles without control wait for control to create the schema. */
const preparedRetryMs = 200

/**
 * Opens the database for roles that do not migrate it. At a first start, the control role may still be creating it.
 * @param waitMs total time to wait; tests use a shorter one
 * @param onWait gets the reason for the wait, once
 */
export async function openPreparedStore(
  settings: Settings,
  waitMs = storeWaitLimits.preparedWaitMs,
  onWait: (error: Error) => void = () => {},
): Promise<Store> {
  const deadline = Date.now() + waitMs
  for (let attempts = 1; ; attempts++) {
    try {
      if (databaseIsMissing(settings)) throw new Error(noDatabase(settings.data))
      return await openStore(settings, false)
    } catch (error) {
      if (Date.now() > deadline || isFinal(error, settings)) throw error
      if (attempts === 1) onWait(error as Error)
      await new Promise(resolve => setTimeout(resolve, preparedRetryMs))
    }
  }
}

function noDatabase(data: string): string {
  return `there is no database in ${data}: start a process with the role control on this data directory too, or name the database of the installation with SLUICE_DATABASE_URL`
}

/** Waiting does not help with a newer database or a wrong key; only an embedded database gets a generated key. */
function isFinal(error: unknown, settings: Settings): boolean {
  if (error instanceof SecretKeyError) return settings.databaseUrl !== undefined
  return error instanceof StoreError && (error.code === 'newer' || error.cause instanceof CipherError)
}
