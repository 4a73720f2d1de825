import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { dirname, extname, join, resolve } from 'node:path'
import { newId } from '../../kit/ids.ts'
import { sqlLimits } from '../limits.ts'
import { between } from '../queries/rows.ts'
import { type RecordStore, RecordStoreError } from '../records/port.ts'
import { sql, trusted } from '../records/sql.ts'
import type { TableName } from '../records/tables.ts'
import { fileOf, resultOf } from './files.ts'
import { type FromSandbox, type NeededColumns, type SqlFailure, type SqlTask, tooLong } from './protocol.ts'
import type { SqlAnswer, SqlQuery } from './types.ts'

/** A statement cannot be answered. */
export class SqlError extends Error {
  override readonly name = 'SqlError'
  readonly code: SqlFailure

  constructor(code: SqlFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * Runs a statement of a user in a separate process, which has nothing but the rows of the user's account: the store
 * exports the columns that the statement reads, whichever engine it is.
 * @param folder for the exported rows, which are removed at the end, and the file of an answer, which the caller removes;
 *   only the owner may enter it
 * @param stop ends the statement with a RecordStoreError
 * @throws SqlError
 * @throws RecordStoreError
 */
export async function runSql(
  store: Pick<RecordStore, 'exportRows'>,
  query: SqlQuery,
  folder: string,
  stop?: AbortSignal,
): Promise<SqlAnswer> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // The sandbox has this working directory, so a relative path would mean another file there.
  const own = mkdtempSync(join(resolve(folder), 'sql-'))
  const child = startSandbox(own)
  const { promise: interrupted, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new SqlError('time', tooLong(sqlLimits.msMax))), sqlLimits.msMax)
  const end = () => reject(new RecordStoreError('failed', 'the statement has been ended'))
  stop?.addEventListener('abort', end)
  if (stop?.aborted) end()
  try {
    return await Promise.race([answerOf(child, store, query, own), ending(child), interrupted])
  } finally {
    clearTimeout(timer)
    stop?.removeEventListener('abort', end)
    child.kill('SIGKILL')
    await rm(own, { recursive: true, force: true })
  }
}

function startSandbox(folder: string): ChildProcess {
  // In this file's folder and with its extension, because the published package is built.
  const entry = new URL(`./sandbox${extname(import.meta.url)}`, import.meta.url)
  const child = fork(entry, {
    cwd: folder,
    env: {},
    execArgv: ['--max-old-space-size=256'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  })
  if (child.pid !== undefined) setPriority(child.pid, 10)
  return child
}

async function answerOf(
  child: ChildProcess,
  store: Pick<RecordStore, 'exportRows'>,
  query: SqlQuery,
  folder: string,
): Promise<SqlAnswer> {
  const { text, format, rowsMax } = query
  const task: SqlTask = {
    text,
    folder,
    format,
    rowsMax,
    msMax: sqlLimits.msMax,
    bytesMax: sqlLimits.answerBytesMax,
    fileBytesMax: sqlLimits.fileBytesMax,
    engineMemoryMib: sqlLimits.engineMemoryMib,
    processMemoryMib: sqlLimits.memoryMib,
  }
  child.send(task)
  const needs = await next(child)
  if (needs.kind !== 'needs') throw new SqlError('failed', 'the sandbox gave no columns')
  await exportNeeded(store, query, needs.columns, folder)
  child.send('exported')
  const answer = await next(child)
  if (answer.kind === 'rows') return { columns: answer.columns, rows: answer.rows, more: answer.more }
  const path = join(dirname(folder), `${newId()}.parquet`)
  await rename(resultOf(folder), path)
  return { path }
}

async function exportNeeded(
  store: Pick<RecordStore, 'exportRows'>,
  { account, range }: SqlQuery,
  needed: NeededColumns,
  folder: string,
): Promise<void> {
  const rowsMax = sqlLimits.rowsReadMax
  for (const [name, columns] of Object.entries(needed)) {
    const table = name as TableName
    const own = sql`from ${trusted(table)} where account = ${account} and ${between(range)}`
    const selection = { table, rows: own, columns, rowsMax }
    const rows = await store.exportRows(selection, fileOf(folder, table))
    if (rows > rowsMax)
      throw new SqlError(
        'rows',
        `${table} has ${rows} rows in this range, a statement reads ${rowsMax} at most; make the range shorter`,
      )
  }
}

function next(child: ChildProcess): Promise<FromSandbox> {
  return new Promise((resolve, reject) =>
    child.once('message', (message: FromSandbox) =>
      message.kind === 'failed' ? reject(new SqlError(message.code, message.message)) : resolve(message),
    ),
  )
}

/** The system kills the process when memory is short. */
function ending(child: ChildProcess): Promise<never> {
  return new Promise((_, reject) => {
    child.once('error', cause => reject(new SqlError('failed', 'the sandbox cannot be started', { cause })))
    child.once('exit', (_, signal) =>
      reject(
        signal === 'SIGKILL'
          ? new SqlError('memory', 'the statement needs more memory than there is')
          : new SqlError('failed', 'the statement ended the process that ran it'),
      ),
    )
  })
}
