import { isPermission } from '../api/failure.ts'

/** Why a list shows no hits of its rules; undefined when they were read. */
export function hitsNote(error: unknown): string | undefined {
  if (error === null) return undefined
  if (isPermission(error)) return 'Hits are not shown: your token lacks “Logs Read” on this zone.'
  return 'Hits cannot be read at the moment.'
}
