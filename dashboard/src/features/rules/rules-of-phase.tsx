import { Loader } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Rule } from '../../domain/ruleset/rules/document.ts'
import type { Draft } from '../../domain/ruleset/rules/draft.ts'
import { useRules } from '../../domain/ruleset/rules/use-rules.ts'
import { useZone } from '../../domain/zone/use-zone.ts'
import { LinkButton } from '../../ui/page/links.tsx'
import { EmptyState, FailureState } from '../../ui/page/states.tsx'
import { RuleForm } from './form/rule-form.tsx'
import { RulesView } from './list/rules-view.tsx'
import type { PhaseWords } from './phases.ts'

interface Props {
  readonly words: PhaseWords
  /** Initial values of a new rule. */
  readonly initial: Draft
  /** Rules of the phase that another page manages, by action. */
  readonly elsewhere?: Readonly<Record<string, { readonly text: string; readonly path: string }>>
}

/** A list of rules, or the form of one; the address decides. */
export function RulesOfPhase({ words, initial, elsewhere = {} }: Props) {
  const zone = useZone()
  const { entry, error } = useRules(zone.id, words.phase)
  const { edit, new: isNew } = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>
  const navigate = useNavigate()
  const path = `/zones/${zone.id}/${words.path}`
  const close = () => void navigate({ to: path })
  // Receives the focus when the form closes.
  const opened = useRef<string>(undefined)
  if (entry === undefined) {
    if (error !== null)
      return <FailureState title={`Failed to load ${words.title.toLowerCase()}`} error={error} />
    return <Loader role="img" aria-label="Loading rules" />
  }
  if (isNew !== undefined || edit !== undefined) {
    opened.current = edit ?? 'new'
    const rule = edit === undefined ? undefined : entry?.rules.find(({ id }) => id === edit)
    if (edit !== undefined && rule === undefined) return <NoRule path={path} />
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

function NoRule({ path }: { readonly path: string }) {
  return (
    <EmptyState
      title="Rule not found"
      text="It may have been deleted."
      action={<LinkButton to={path}>Back to list</LinkButton>}
    />
  )
}
