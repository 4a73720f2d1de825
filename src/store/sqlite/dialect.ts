import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import { storeLimits } from '../../kit/limits.ts'

/** Kysely's SQLite over `node:sqlite`. Opens the file, which only its owner can read: it holds credentials. */
export function nodeSqliteDialect(path: string): SqliteDialect {
  mkdirSync(dirname(path), { recursive: true })
  closeSync(openSync(path, 'a', 0o600))
  const database = new DatabaseSync(path, {
    enableForeignKeyConstraints: true,
    timeout: storeLimits.sqliteBlockedMsMax,
  })
  return new NodeSqliteDialect(database, {
    database: {
      prepare: sql => statementOf(database, sql),
      close: () => database.close(),
    },
  })
}

class NodeSqliteDialect extends SqliteDialect {
  readonly #database: DatabaseSync
  readonly #config: SqliteDialectConfig

  constructor(database: DatabaseSync, config: SqliteDialectConfig) {
    super(config)
    this.#database = database
    this.#config = config
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#database, this.#config)
  }
}

/** Takes the write lock when a transaction begins: a lock taken later can fail in the middle of it. */
class ImmediateDriver extends SqliteDriver {
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync, config: SqliteDialectConfig) {
    super(config)
    this.#database = database
  }

  /**
   * WAL: readers never wait for a writer. NORMAL: a commit is handed to the system but not forced to the
   * disk, so the death of the process loses nothing; a power cut can lose the last commits, never the
   * consistency.
   */
  override async init(): Promise<void> {
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = normal')
    await super.init()
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** A full disk ends the transaction before we do; its error is the one to report. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection)
  }
}

function statementOf(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = database.prepare(sql)
  return {
    reader: statement.columns().length > 0,
    all: parameters => statement.all(...(parameters as SQLInputValue[])),
    run: parameters => statement.run(...(parameters as SQLInputValue[])),
    iterate: parameters => statement.iterate(...(parameters as SQLInputValue[])),
  }
}
