import { openSync, writeSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { AuditLog } from '../edge/index.ts'
import { makeFolder } from '../kit/folders.ts'
import type { AuditLogMode } from '../model/settings.ts'

/** Appends to a file that all edge workers share: one write a line, so that lines never mix. */
export async function openAuditLog(path: string, mode: AuditLogMode): Promise<AuditLog> {
  try {
    await makeFolder(dirname(resolve(path)))
    const file = openSync(path, 'a', 0o600)
    return { mode, write: line => void writeSync(file, `${line}\n`) }
  } catch (error) {
    throw new Error(`SLUICE_AUDIT_LOG cannot be written: ${(error as Error).message}`, { cause: error })
  }
}
