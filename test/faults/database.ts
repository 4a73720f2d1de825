import { openPostgresStore, openSqliteStore, type Store } from '../../src/store/index.ts'
import { plainCipher } from './plain-cipher.ts'

/** @param database file of SQLite, or URL of PostgreSQL */
export function openDatabase(database: string, migrate: boolean): Promise<Store> {
  const options = { migrate, cipher: plainCipher }
  return isPostgres(database)
    ? openPostgresStore(database, { ...options, connections: 8 })
    : openSqliteStore(database, options)
}

function isPostgres(database: string): boolean {
  return database.startsWith('postgres:')
}
