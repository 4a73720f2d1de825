import { isatty } from 'node:tty'
import { destination, type Logger, pino } from 'pino'
import { programLogLimits } from '../limits.ts'

export type { Logger }

/**
 * The log of the program, NDJSON on standard error. Secrets are never passed to it.
 * @param worker name of the edge worker that writes
 */
export function createLogger(worker?: string): Logger {
  const level = isatty(2) ? 'warn' : 'info'
  const base = { pid: process.pid, ...(worker !== undefined && { worker }) }
  const output = destination({ fd: 2, sync: true, maxLength: programLogLimits.waitingBytesMax })
  // A full disk or a closed pipe ends the log, not the process; further lines are dropped.
  output.on('error', () => {})
  return pino({ level, base }, output)
}

/** A closed terminal or pipe does not end the process. */
export function outliveOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
