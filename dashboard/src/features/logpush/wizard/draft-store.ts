import { useCallback, useEffect, useRef, useState } from 'react'
import { currentSession, onSession } from '../../../api/session.ts'
import { type Values, withoutSecrets } from '../destinations/kind.ts'
import { kindById } from '../destinations/kinds.ts'
import type { Draft } from '../draft.ts'

const prefix = 'sluice.draft.'

/** Secrets of drafts: in memory only, so they survive navigation but not a reload. */
const secretsByDraft = new Map<string, Draft['values']>()

// Drafts end with the session.
onSession(() => {
  if (currentSession() !== undefined) return
  secretsByDraft.clear()
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
})

export interface DraftStore {
  readonly draft: Draft
  /** True when the draft existed before: the user returns to it. */
  readonly isKept: boolean
  change(part: Partial<Draft>): void
  /** Resets the draft. */
  discard(): void
  /** Removes the draft after the job is saved. */
  finish(): void
}

/** A draft that this tab keeps until it is saved. */
export function useDraft(name: string, initial: () => Draft): DraftStore {
  const key = prefix + name
  const [kept] = useState(() => readKept(key))
  const [draft, setDraft] = useState(() => kept ?? initial())
  const [isKept, setKept] = useState(kept !== undefined)
  const finished = useRef(false)
  const touched = useRef(kept !== undefined)
  useEffect(() => {
    if (touched.current && !finished.current) keep(key, draft)
  }, [key, draft])
  const change = useCallback((part: Partial<Draft>) => {
    touched.current = true
    setDraft(before => ({ ...before, ...part }))
  }, [])
  const forget = () => {
    sessionStorage.removeItem(key)
    secretsByDraft.delete(key)
  }
  return {
    draft,
    isKept,
    change,
    discard() {
      forget()
      touched.current = false
      setKept(false)
      setDraft(initial())
    },
    finish() {
      finished.current = true
      forget()
    },
  }
}

function keep(key: string, draft: Draft): void {
  const open = Object.entries(draft.values).map(([id, values]) => [id, withoutSecrets(kindById(id), values)])
  secretsByDraft.set(key, draft.values)
  sessionStorage.setItem(key, JSON.stringify({ ...draft, values: Object.fromEntries(open), challenge: '' }))
}

function readKept(key: string): Draft | undefined {
  try {
    const kept = sessionStorage.getItem(key)
    if (kept === null) return undefined
    const draft = JSON.parse(kept) as Draft
    const secrets = secretsByDraft.get(key)
    const values = Object.entries(draft.values).map(([id, open]): [string, Values] => [
      id,
      { ...open, ...secrets?.[id] },
    ])
    return { ...draft, values: Object.fromEntries(values) }
  } catch {
    return undefined
  }
}
