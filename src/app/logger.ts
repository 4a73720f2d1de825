import { isatty } from 'node:tty'
import { destination, type Logger, pino } from 'pino'

export type { Logger }

/**
 * The log of the program itself, NDJSON on standard error. Secrets are never passed to it.
 * @param worker name of the edge worker that writes
 */
export function createLogger(worker?: string): Logger {
  const level = isatty(2) ? 'warn' : 'info'
  const base = { pid: process.pid, ...(worker !== undefined && { worker }) }
  return pino({ level, base }, destination({ fd: 2, sync: true }))
}
