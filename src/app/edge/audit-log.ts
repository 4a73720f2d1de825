import { openSync, writeSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { AuditLog } from '../../edge/index.ts'
import { makeFolder } from '../../kit/folders.ts'
import type { AuditLogFormat, AuditLogMode } from '../../model/settings/index.ts'

/** Interval between reports of lines that could not be written. */
const tellMs = 60_000

/**
 * Appends to a file that all edge workers share: one write per request, so that lines never mix. A line that cannot be
 * written, as on a full disk, is dropped, and the request is served.
 */
export async function openAuditLog(
  path: string,
  mode: AuditLogMode,
  format: AuditLogFormat,
  onError: (message: string, error: unknown) => void,
): Promise<AuditLog> {
  try {
    await makeFolder(dirname(resolve(path)))
    const file = openSync(path, 'a', 0o600)
    return { mode, format, write: linesTo(file, onError) }
  } catch (error) {
    throw new Error(`SLUICE_AUDIT_LOG cannot be written: ${(error as Error).message}`, { cause: error })
  }
}

function linesTo(file: number, onError: (message: string, error: unknown) => void): (lines: string) => void {
  let lost = 0
  let toldMs = Number.NEGATIVE_INFINITY
  return lines => {
    try {
      writeSync(file, `${lines}\n`)
    } catch (error) {
      lost++
      if (performance.now() < toldMs + tellMs) return
      toldMs = performance.now()
      onError(`the audit log cannot be written: ${lost} requests are not in it`, error)
      lost = 0
    }
  }
}
