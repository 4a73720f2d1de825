import { useSyncExternalStore } from 'react'
import { onSession } from '../../api/session.ts'
import type { Changes } from '../../managed/changes.ts'
import { isEmpty } from '../../managed/changes.ts'
import type { ExecuteRule } from '../../managed/document.ts'

/** What somebody is about to change in a zone, and what they saw when they began. */
export interface Draft {
  readonly changes: Changes
  /** Version of the entry point at the first change; undefined when there was none. */
  readonly baseVersion: string | undefined
  readonly baseRule: ExecuteRule | undefined
}

/** Drafts of zones, for both pages of the managed ruleset; gone with a reload or when somebody signs out. */
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

/** A draft without changes is none. */
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
