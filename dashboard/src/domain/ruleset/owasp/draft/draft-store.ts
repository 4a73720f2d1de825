import { useSyncExternalStore } from 'react'
import { onSession } from '../../../../api/session.ts'
import type { Changes } from '../changes.ts'
import { isEmpty } from '../changes.ts'
import type { ExecuteRule } from '../document.ts'

/** Pending changes in a zone, and the version they started from. */
export interface Draft {
  readonly changes: Changes
  /** Version of the entry point at the first change; undefined without one. */
  readonly baseVersion: string | undefined
  readonly baseRule: ExecuteRule | undefined
}

/** Drafts by zone, for both pages of the managed ruleset. A reload or a sign-out discards them. */
const drafts = new Map<string, Draft>()
const listeners = new Set<() => void>()

onSession(() => {
  drafts.clear()
  tell()
})

export function useDraft(zoneId: string): Draft | undefined {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => drafts.get(zoneId),
  )
}

/** A draft without changes is removed. */
export function setDraft(zoneId: string, draft: Draft | undefined): void {
  if (draft === undefined || isEmpty(draft.changes)) drafts.delete(zoneId)
  else drafts.set(zoneId, draft)
  tell()
}

function tell(): void {
  for (const listener of listeners) listener()
}

addEventListener('beforeunload', event => {
  if (drafts.size > 0) event.preventDefault()
})
