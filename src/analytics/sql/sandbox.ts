import { statSync, writeFileSync } from 'node:fs'
import { sep } from 'node:path'
import { columnsOf, NotReadingError, openEngine, serveTables, writeResult } from './engine.ts'
import { resultOf } from './files.ts'
import { type FromSandbox, type SqlFailure, type SqlTask, tooLong } from './protocol.ts'
import { readRows, SizeError } from './read-rows.ts'

/**
 * Main file of the process that runs one statement of a user. It has no file of the product open, no secrets in its
 * environment, and the rows of one account. Memory that the engine does not count ends this process and nothing else.
 * Sluice ends it when it has the answer, because a long one is not away at once.
 */
process.once('message', (task: SqlTask) => {
  watch(task)
  run(task).catch((error: unknown) => fail(codeOf(error), withoutFolder(messageOf(error), task.folder)))
})
// Sluice has ended.
process.once('disconnect', end)

async function run(task: SqlTask): Promise<void> {
  const { text, folder, rowsMax } = task
  const connection = await openEngine(task.engineMemoryMib)
  const columns = await columnsOf(connection, text)
  send({ kind: 'needs', columns })
  await new Promise(resolve => process.once('message', resolve))
  await serveTables(connection, folder, columns)
  try {
    if (task.format === 'json') return send({ kind: 'rows', ...(await readRows(connection, task)) })
    await writeResult(connection, text, rowsMax, folder)
  } catch (error) {
    if (error instanceof SizeError) throw error
    throw new StatementError(messageOf(error))
  }
  send({ kind: 'file' })
}

/** Texts and lists that functions make are outside the engine's own limit, and so are the file and the time. */
function watch({ processMemoryMib: mib, fileBytesMax, msMax, folder }: SqlTask): void {
  // The system ends this process first when memory is short.
  if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000')
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() > mib * 2 ** 20) fail('memory', `the statement needs more than ${mib} MiB`)
    const bytes = statSync(resultOf(folder), { throwIfNoEntry: false })?.size ?? 0
    if (bytes > fileBytesMax) fail('size', `the file has more than ${fileBytesMax} bytes; select less`)
  }, 10)
  timer.unref()
  setTimeout(() => fail('time', tooLong(msMax)), msMax)
}

/** The engine refused the statement, or ended it. */
class StatementError extends Error {}

function codeOf(error: unknown): SqlFailure {
  if (error instanceof SizeError) return 'size'
  if (error instanceof NotReadingError) return 'refused'
  if (!(error instanceof StatementError)) return 'failed'
  return error.message.startsWith('Out of Memory') ? 'memory' : 'refused'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * The engine names files, and users of the statement do not learn where they are. It also quotes the text around a fault:
 * where that is the definition of a table, the quotation may end within a path.
 */
function withoutFolder(message: string, folder: string): string {
  const quotation = message.indexOf('\n\nLINE ')
  const isDefinition = quotation >= 0 && message.includes('read_parquet(', quotation)
  const shown = isDefinition ? message.slice(0, quotation) : message
  return shown.replaceAll(`${folder}${sep}`, '').replaceAll(folder, '')
}

function send(message: FromSandbox): void {
  process.send!(message)
}

/** Ends the process when the message is away. */
function fail(code: SqlFailure, message: string): void {
  const failure: FromSandbox = { kind: 'failed', code, message }
  process.send!(failure, end)
}

/** The engine may still be at work. */
function end(): void {
  process.kill(process.pid, 'SIGKILL')
}
