import { destination, type Logger, pino } from 'pino'

export type { Logger }

/** The log of the program itself, NDJSON on standard error. Secrets are never passed to it. */
export function createLogger(): Logger {
  const level = process.stderr.isTTY ? 'warn' : 'info'
  return pino({ level, base: { pid: process.pid } }, destination({ fd: 2, sync: true }))
}
