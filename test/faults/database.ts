import { openPostgresStore, openSqliteStore, type Store } from '../../src/store/index.ts'
import { plainCipher } from './plain-cipher.ts'

/** @param database file of SQLite, or URL of PostgreSQL */
export function openDatabase(database: string, migrate: boolean): Promise<Store> {
  const open = isPostgres(database) ? openPostgresStore : openSqliteStore
  return open(database, { migrate, cipher: plainCipher })
}

function isPostgres(database: string): boolean {
  return database.startsWith('postgres:')
}
