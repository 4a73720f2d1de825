import { useState } from 'react'
import { onSession } from '../../api/session.ts'
import type { Ruleset } from '../../api/types.ts'
import type { CustomField } from './fields.ts'

interface Draft {
  readonly fields: readonly CustomField[]
  /** The entry point at the first change; null when there was none. */
  readonly base: Ruleset | null
}

/** Drafts by zone. A reload, of which the browser warns, or a sign-out discards them. */
const drafts = new Map<string, Draft>()

onSession(() => drafts.clear())

addEventListener('beforeunload', event => {
  if (drafts.size > 0) event.preventDefault()
})

/** Unsaved changes of a zone, kept while the user visits other pages. */
export function useDraft(zoneId: string): readonly [Draft | undefined, (draft: Draft | undefined) => void] {
  const [draft, setDraft] = useState(() => drafts.get(zoneId))
  const keep = (next: Draft | undefined) => {
    if (next === undefined) drafts.delete(zoneId)
    else drafts.set(zoneId, next)
    setDraft(next)
  }
  return [draft, keep]
}
