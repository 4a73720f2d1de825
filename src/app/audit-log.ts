import { mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { AuditLog } from '../edge/index.ts'
import type { AuditLogMode } from '../model/settings.ts'

/** Appends to a file that all edge workers share: one write a line, so that lines never mix. */
export function openAuditLog(path: string, mode: AuditLogMode): AuditLog {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, 'a', 0o600)
  return { mode, write: line => void writeSync(file, `${line}\n`) }
}
