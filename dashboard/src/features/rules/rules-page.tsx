import { Loader } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { LinkButton } from '../../ui/links.tsx'
import { EmptyState, FailureState } from '../../ui/states.tsx'
import { useZone } from '../../ui/use-zone.ts'
import type { Rule } from './document.ts'
import type { Draft } from './draft.ts'
import type { PhaseWords } from './phases.ts'
import { RuleForm } from './rule-form.tsx'
import { RulesView } from './rules-view.tsx'
import { useRules } from './use-rules.ts'

interface Props {
  readonly words: PhaseWords
  /** What a new rule begins with. */
  readonly initial: Draft
  /** Rules of the phase that another page is about, by their action. */
  readonly elsewhere?: Readonly<Record<string, { readonly text: string; readonly path: string }>>
}

/** A list of rules, or the form of one of them: the address says which. */
export function RulesPage({ words, initial, elsewhere = {} }: Props) {
  const zone = useZone()
  const { entry, error } = useRules(zone.id, words.phase)
  const { edit, new: isNew } = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>
  const navigate = useNavigate()
  const path = `/zones/${zone.id}/${words.path}`
  const close = () => void navigate({ to: path })
  // Where the focus goes when the form is closed.
  const opened = useRef<string>(undefined)
  if (entry === undefined) {
    if (error !== null) return <FailureState title={`${words.title} cannot be shown`} error={error} />
    return <Loader role="img" aria-label="Rules are being read" />
  }
  if (isNew !== undefined || edit !== undefined) {
    opened.current = edit ?? 'new'
    const rule = edit === undefined ? undefined : entry?.rules.find(({ id }) => id === edit)
    if (edit !== undefined && rule === undefined) return <NoRule words={words} path={path} />
    return (
      <RuleForm
        key={edit ?? 'new'}
        zoneId={zone.id}
        words={words}
        entry={entry}
        rule={rule}
        initial={initial}
        onClose={close}
      />
    )
  }
  const fixed = (rule: Rule) => {
    const found = elsewhere[rule.action]
    return found && { ...found, path: `/zones/${zone.id}/${found.path}` }
  }
  return <RulesView {...{ zone, words, entry, path, fixed, opened }} />
}

function NoRule({ words, path }: { readonly words: PhaseWords; readonly path: string }) {
  return (
    <EmptyState
      title={`There is no such ${words.one}`}
      text="It may have been deleted meanwhile."
      action={<LinkButton to={path}>Back to the list</LinkButton>}
    />
  )
}
