import { isPermission } from '../../api/failure.ts'

/** Why a list shows no rule hits; undefined when they loaded. */
export function hitsNote(error: unknown): string | undefined {
  if (error === null) return undefined
  if (isPermission(error)) return 'Hits are hidden: your token lacks “Logs Read” on this zone.'
  return 'Hits are currently unavailable.'
}
