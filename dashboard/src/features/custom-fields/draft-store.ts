import { useState } from 'react'
import { onSession } from '../../api/session.ts'
import type { Ruleset } from '../../api/types.ts'
import type { CustomField } from './fields.ts'

interface Draft {
  readonly fields: readonly CustomField[]
  /** The entry point as it was at the first change; null when there was none. */
  readonly base: Ruleset | null
}

/** By zone; gone with a reload, of which the browser warns, and when somebody signs out. */
const drafts = new Map<string, Draft>()

onSession(() => drafts.clear())

addEventListener('beforeunload', event => {
  if (drafts.size > 0) event.preventDefault()
})

/** What is not saved yet; it is still there when somebody comes back from another page. */
export function useDraft(zoneId: string): readonly [Draft | undefined, (draft: Draft | undefined) => void] {
  const [draft, setDraft] = useState(() => drafts.get(zoneId))
  const keep = (next: Draft | undefined) => {
    if (next === undefined) drafts.delete(zoneId)
    else drafts.set(zoneId, next)
    setDraft(next)
  }
  return [draft, keep]
}
