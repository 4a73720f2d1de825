import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ensurePrivateFile } from '../kit/private-file.ts'
import { analyticsLimits } from './limits.ts'
import { schema, schemaVersion } from './schema.ts'
import { whatIfSchema } from './what-if/schema.ts'

/**
 * Opens the analytics database for what writes it. Creates its tables when they are absent, and rebuilds those of an older
 * version. For background threads only: every call
 * blocks. WAL: queries never wait for a batch that is being written. NORMAL: a crash of the process loses nothing; a
 * power loss can lose the last batches with their position in the record log, so that they are read again.
 */
export function openDatabase(path: string): DatabaseSync {
  const database = connect(path)
  prepare(database)
  return database
}

/**
 * The same for queries, which rebuild nothing: after an upgrade and until the reload, a query's thread already has the new
 * version's code, and the process that writes still has the old one.
 * @throws if the tables are those of another version
 */
export function openForQueries(path: string): DatabaseSync {
  const database = connect(path)
  if (versionOf(database) === 0) prepare(database)
  requireOwnVersion(database)
  return database
}

function connect(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true })
  // Records contain personal data: only the owner of the process may read them.
  ensurePrivateFile(path)
  const database = new DatabaseSync(path, { timeout: analyticsLimits.blockedMsMax })
  // Must be set before the first table is created.
  database.exec('pragma auto_vacuum = incremental')
  database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma temp_store = memory')
  database.exec(`pragma cache_size = -${analyticsLimits.cacheKib}`)
  return database
}

function prepare(database: DatabaseSync): void {
  if (versionOf(database) === schemaVersion) return
  transact(database, () => {
    const version = versionOf(database)
    if (version === schemaVersion) return
    if (version > schemaVersion)
      throw new Error(
        `the database of analytics has version ${version}, this program knows ${schemaVersion}; move the file away to begin a new one`,
      )
    // The database is a copy: an old version is rebuilt from the records that the log still has.
    if (version !== 0) removeTables(database)
    database.exec(schema)
    database.exec(whatIfSchema)
    database.exec(`pragma user_version = ${schemaVersion}`)
  })
}

/** @throws if the tables are those of another version: the statements of this one belong to other tables */
export function requireOwnVersion(database: DatabaseSync): void {
  const version = versionOf(database)
  if (version !== schemaVersion)
    throw new Error(
      `another version of Sluice has the database of analytics, with schema ${version} instead of ${schemaVersion}: reload Sluice, or stop the other version`,
    )
}

function removeTables(database: DatabaseSync): void {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
  for (const { name } of tables) database.exec(`drop table "${name}"`)
}

function versionOf(database: DatabaseSync): number {
  return database.prepare('pragma user_version').get()!['user_version'] as number
}

/** Commits all of it, or nothing if it throws. */
export function transact<T>(database: DatabaseSync, work: () => T): T {
  database.exec('begin immediate')
  try {
    const result = work()
    database.exec('commit')
    return result
  } catch (error) {
    // A full disk ends the transaction before we do.
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}
