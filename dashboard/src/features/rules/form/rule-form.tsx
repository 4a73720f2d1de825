import { Button, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Call } from '../../../api/client.ts'
import { ExpressionField, messagesAt } from '../../../domain/expression/index.ts'
import { type At, createCall, rulePointer, updateCall } from '../../../domain/ruleset/rules/calls.ts'
import {
  type Entry,
  type ListPhase,
  nameOf,
  type Position,
  type Rule,
} from '../../../domain/ruleset/rules/document.ts'
import {
  type Draft,
  isLimited,
  missingIn,
  readDraft,
  writeDraft,
} from '../../../domain/ruleset/rules/draft.ts'
import { withoutEnd } from '../../../domain/ruleset/rules/expiry.ts'
import { ExpiryField } from '../../../domain/ruleset/rules/expiry-field.tsx'
import { useSave } from '../../../domain/ruleset/rules/use-save.ts'
import { Permitted } from '../../../ui/controls/permitted.tsx'
import { ApiCall } from '../../../ui/display/api-call.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import type { PhaseWords } from '../phases.ts'
import { ActionSection } from './action-section.tsx'
import { LimitFields } from './limit-fields.tsx'
import { Section } from './section.tsx'
import { Troubles } from './troubles.tsx'

interface Props {
  readonly zoneId: string
  readonly words: PhaseWords
  /** The newest list; null when the zone has none in the phase. */
  readonly entry: Entry | null
  /** Undefined for a new rule. */
  readonly rule: Rule | undefined
  /** Initial values of a new rule. */
  readonly initial: Draft
  readonly onClose: () => void
}

/** Form of one rule: expression, action, and the resulting API call. */
export function RuleForm(props: Props) {
  const { zoneId, words, rule, onClose } = props
  const { phase } = words
  const { draft, change, base, placement, setPlacement, missing, insists, save, call, submit, again } =
    useRuleForm(props)
  const pointer = rulePointer(call)
  const errors = (at: string) => messagesAt(save.error, pointer + at)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit(rule === undefined ? true : draft.enabled)
  }
  return (
    <form onSubmit={onSubmit} noValidate>
      <PageHeader title={rule === undefined ? words.create : `Edit ${nameOf(rule)}`} />
      <Stack gap="md" maw={1080}>
        <NameField
          words={words}
          value={draft.description}
          error={errors('/description')[0]}
          autoFocus={rule === undefined}
          onChange={description => change({ description })}
        />
        <MatchSection draft={draft} phase={phase} errors={errors('/expression')} onChange={change} />
        {phase === 'http_ratelimit' && isLimited(draft.action) ? (
          <LimitFields
            limit={draft.limit}
            onChange={limit => change({ limit })}
            errors={member => errors(`/ratelimit/${member}`)}
          />
        ) : null}
        <ActionSection
          zoneId={zoneId}
          words={words}
          draft={draft}
          rule={rule}
          missing={missing}
          onChange={change}
        />
        <Section title="Expiry and order">
          <ExpiryField endsAt={draft.endsAt} onChange={endsAt => change({ endsAt })} />
          {rule === undefined ? (
            <PlacementField words={words} entry={base} value={placement} onChange={setPlacement} />
          ) : (
            <OnSwitch enabled={draft.enabled} onChange={enabled => change({ enabled })} />
          )}
        </Section>
        <ApiCall call={call} />
        <Troubles missing={insists ? missing : undefined} error={save.error} onAgain={again} />
        <Buttons
          isNew={rule === undefined}
          saving={save.isPending}
          onDraft={() => submit(false)}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}

/** State of the form, and the calls that save it. */
function useRuleForm({ zoneId, words, entry, rule, initial, onClose }: Props) {
  const { phase } = words
  const [draft, setDraft] = useState<Draft>(rule === undefined ? initial : readDraft(rule))
  // The version that the changes are based on, without later changes by others.
  const [base, setBase] = useState(entry)
  const [placement, setPlacement] = useState('last')
  const [insists, setInsists] = useState(false)
  const change = (part: Partial<Draft>) => setDraft(before => ({ ...before, ...part }))
  const save = useSave(zoneId, phase, { done: doneText(draft, words, rule), onDone: onClose })
  const missing = missingIn(draft, phase)
  const at = { zoneId, phase, entry: base }
  const submit = (enabled: boolean) => {
    setInsists(true)
    if (missing !== undefined || save.isPending) return
    const sent = { ...draft, enabled }
    setDraft(sent)
    save.mutate(callOf(at, sent, rule, placement))
  }
  const again = () => {
    setBase(entry)
    save.reset()
  }
  const call = callOf(at, draft, rule, placement)
  return { draft, change, base, placement, setPlacement, missing, insists, save, call, submit, again }
}

function doneText({ enabled }: Draft, { one }: PhaseWords, rule: Rule | undefined): string {
  const noun = one === 'exception' ? 'Exception' : 'Rule'
  if (rule !== undefined) return `${noun} saved`
  return enabled ? `${noun} deployed` : `${noun} saved as draft`
}

function callOf(at: At, draft: Draft, rule: Rule | undefined, placement: string): Call {
  const definition = writeDraft(draft, at.phase, rule)
  return rule === undefined
    ? createCall(at, definition, positionOf(at, placement))
    : updateCall(at, rule.id, definition)
}

/** Undefined is the end of the list. New exceptions precede the managed rulesets. */
function positionOf({ entry, phase }: At, placement: string): Position | undefined {
  if (placement === 'first') return { before: '' }
  if (placement !== 'last') return { after: placement }
  const executed = entry?.rules.find(({ action }) => action === 'execute')
  return phase === 'http_request_firewall_managed' && executed !== undefined
    ? { before: executed.id }
    : undefined
}

interface NameProps {
  readonly words: PhaseWords
  readonly value: string
  readonly error: string | undefined
  readonly autoFocus: boolean
  readonly onChange: (name: string) => void
}

function NameField({ words, value, error, autoFocus, onChange }: NameProps) {
  return (
    <TextInput
      label={words.one === 'exception' ? 'Exception name' : 'Rule name'}
      description="Shown in the list and in Events."
      value={value}
      error={error}
      onChange={event => onChange(event.currentTarget.value)}
      maxLength={500}
      autoFocus={autoFocus}
    />
  )
}

interface MatchProps {
  readonly draft: Draft
  readonly phase: ListPhase
  readonly errors: readonly string[]
  readonly onChange: (part: Partial<Draft>) => void
}

function MatchSection({ draft, phase, errors, onChange }: MatchProps) {
  return (
    <Section title="When incoming requests match…">
      <ExpressionField
        label="Expression"
        phase={phase}
        value={draft.expression}
        onChange={expression => onChange({ expression })}
        errors={draft.endsAt === undefined ? errors : errors.map(withoutEnd)}
        offersAll={phase === 'http_request_firewall_managed'}
      />
    </Section>
  )
}

interface PlacementProps {
  readonly words: PhaseWords
  readonly entry: Entry | null
  readonly value: string
  readonly onChange: (placement: string) => void
}

function PlacementField({ words, entry, value, onChange }: PlacementProps) {
  const isException = words.one === 'exception'
  const rules = entry?.rules ?? []
  if (rules.length === 0) return null
  return (
    <Select
      label="Place at"
      data={[
        { value: 'first', label: 'First' },
        { value: 'last', label: isException ? 'Last, before the managed rulesets' : 'Last' },
        ...rules.map(rule => ({ value: rule.id, label: `After ${nameOf(rule)}` })),
      ]}
      value={value}
      allowDeselect={false}
      searchable
      limit={100}
      maw={420}
      onChange={placement => {
        if (placement !== null) onChange(placement)
      }}
    />
  )
}

interface OnProps {
  readonly enabled: boolean
  readonly onChange: (enabled: boolean) => void
}

function OnSwitch({ enabled, onChange }: OnProps) {
  return (
    <Switch label="Enabled" checked={enabled} onChange={event => onChange(event.currentTarget.checked)} />
  )
}

interface ButtonsProps {
  readonly isNew: boolean
  readonly saving: boolean
  readonly onDraft: () => void
  readonly onCancel: () => void
}

function Buttons({ isNew, saving, onDraft, onCancel }: ButtonsProps) {
  return (
    <>
      <Group gap="sm">
        <Permitted needs="zoneWaf write">
          {barred => (
            <Button type="submit" loading={saving} {...barred}>
              {isNew ? 'Deploy' : 'Save'}
            </Button>
          )}
        </Permitted>
        {isNew ? (
          <Permitted needs="zoneWaf write">
            {barred => (
              <Button variant="default" disabled={saving} onClick={onDraft} {...barred}>
                Save as draft
              </Button>
            )}
          </Permitted>
        ) : null}
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
      {isNew ? (
        <Text size="xs" c="dimmed">
          A draft is saved as a disabled rule.
        </Text>
      ) : null}
    </>
  )
}
