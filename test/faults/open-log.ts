import { flushCompileCache } from 'node:module'
import { openLocalRecordLog, openNatsRecordLog, type RecordLog } from '../../src/bus/index.ts'
import { setClock } from './clock.ts'
import type { LogOptions, Report } from './messages.ts'

/** A child's record log, its faults reported to the parent. */
export async function openLog(options: LogOptions): Promise<RecordLog> {
  setClock(options.aheadMs)
  return recordLogOf(options)
}

/** Its faults are reported to the parent, if there is one. */
export async function recordLogOf({
  directory,
  natsUrl,
  partitions = 2,
  policy,
}: LogOptions): Promise<RecordLog> {
  const onFault = ({ code, message, dropped }: NonNullable<Report['fault']>) =>
    report({ fault: { code, message, dropped } })
  return natsUrl === undefined
    ? openLocalRecordLog(directory, onFault, policy)
    : openNatsRecordLog(natsUrl, directory, onFault, policy, { partitions, bytes: policy.bytes })
}

/** To the parent, as long as there is one. */
export function report(message: Report): void {
  if (process.connected) process.send!(message, undefined, undefined, () => {})
}

/** Without a parent there is nothing to do. A file that may grow no more is an error, not the end. */
export function beAChild(): void {
  // Otherwise at the end, which a killed process does not have.
  flushCompileCache()
  process.on('disconnect', () => process.exit())
  process.on('SIGXFSZ', () => {})
}
