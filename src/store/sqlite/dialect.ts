import { mkdirSync } from 'node:fs'
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
import { ensurePrivateFile } from '../../kit/private-file.ts'
import { storeLimits } from '../limits.ts'

/**
 * Kysely's SQLite dialect over `node:sqlite`. Creates the file readable by its owner only, because it holds
 * credentials.
 */
export function nodeSqliteDialect(path: string): SqliteDialect {
  mkdirSync(dirname(path), { recursive: true })
  ensurePrivateFile(path)
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

/** Takes the write lock when a transaction begins: taking it later can fail in the middle of the transaction. */
class ImmediateDriver extends SqliteDriver {
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync, config: SqliteDialectConfig) {
    super(config)
    this.#database = database
  }

  /**
   * WAL: readers never wait for a writer. FULL: a commit is on disk when it returns, so a power loss reverts no
   * opened or closed batch and no answer of the API.
   */
  override async init(): Promise<void> {
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = full')
    await super.init()
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** A full disk ends the transaction before we do; the disk's error is the one to report. */
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
