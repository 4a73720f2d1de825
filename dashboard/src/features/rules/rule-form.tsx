import { Alert, Button, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Call } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import { ExpressionField, messagesAt } from '../../expression/index.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { FailureText } from '../../ui/failure-text.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Permitted } from '../../ui/permitted.tsx'
import { type At, createCall, rulePointer, updateCall } from './calls.ts'
import { type Entry, nameOf, type Position, type Rule } from './document.ts'
import { type Draft, isLimited, missingIn, readDraft, writeDraft } from './draft.ts'
import { ExceptionFields } from './exception-fields.tsx'
import { ExceptionPreviewPanel } from './exception-preview.tsx'
import { withoutEnd } from './expiry.ts'
import { ExpiryField } from './expiry-field.tsx'
import { LimitFields, TimeoutField } from './limit-fields.tsx'
import type { PhaseWords } from './phases.ts'
import { ResponseFields } from './response-fields.tsx'
import { Section } from './section.tsx'
import { SkipFields } from './skip-fields.tsx'
import { isStale, useSave } from './use-save.ts'
import { actionLabel } from './words.ts'

interface Props {
  readonly zoneId: string
  readonly words: PhaseWords
  /** The newest list; null when the zone has none in the phase. */
  readonly entry: Entry | null
  /** Undefined for a new one. */
  readonly rule: Rule | undefined
  /** What a new one begins with. */
  readonly initial: Draft
  readonly onClose: () => void
}

/** One rule: which requests, what happens to them, and the call that makes it so. */
export function RuleForm({ zoneId, words, entry, rule, initial, onClose }: Props) {
  const { phase } = words
  const [draft, setDraft] = useState<Draft>(rule === undefined ? initial : readDraft(rule))
  // What the changes stand on: not what others made of it since.
  const [base, setBase] = useState(entry)
  const [place, setPlace] = useState('last')
  const [insists, setInsists] = useState(false)
  const change = (part: Partial<Draft>) => setDraft(before => ({ ...before, ...part }))
  const done =
    rule === undefined
      ? `“${draft.description || words.one}” is in the list.`
      : 'Saved: in force at every edge within a second.'
  const save = useSave(zoneId, phase, { done, onDone: onClose })
  const missing = missingIn(draft, phase)
  const call = callOf({ zoneId, phase, entry: base }, draft, rule, place)
  const pointer = rulePointer(call)
  const errors = (at: string) => messagesAt(save.error, pointer + at)
  const submit = (enabled: boolean) => {
    setInsists(true)
    if (missing !== undefined || save.isPending) return
    const sent = { ...draft, enabled }
    setDraft(sent)
    save.mutate(callOf({ zoneId, phase, entry: base }, sent, rule, place))
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit(rule === undefined ? true : draft.enabled)
  }
  return (
    <form onSubmit={onSubmit} noValidate>
      <PageHeader title={rule === undefined ? words.create : `Edit ${nameOf(rule)}`} />
      <Stack gap="md" maw={1080}>
        <TextInput
          label={words.one === 'exception' ? 'Exception name' : 'Rule name'}
          description="What it is for. It is in the events, too."
          value={draft.description}
          error={errors('/description')[0]}
          onChange={event => change({ description: event.currentTarget.value })}
          maxLength={500}
          autoFocus={rule === undefined}
        />
        <Section title="When incoming requests match…">
          <ExpressionField
            label="Expression"
            phase={phase}
            value={draft.expression}
            onChange={expression => change({ expression })}
            errors={
              draft.endsAt === undefined ? errors('/expression') : errors('/expression').map(withoutEnd)
            }
            offersAll={phase === 'http_request_firewall_managed'}
          />
        </Section>
        {phase === 'http_ratelimit' && isLimited(draft.action) ? (
          <LimitFields
            limit={draft.limit}
            onChange={limit => change({ limit })}
            errors={member => errors(`/ratelimit/${member}`)}
          />
        ) : null}
        <Section title={words.one === 'exception' ? 'Then skip…' : 'Then take action…'}>
          <ActionFields zoneId={zoneId} words={words} draft={draft} onChange={change} />
          {words.one === 'exception' ? (
            <ExceptionPreviewPanel
              zoneId={zoneId}
              expression={draft.expression}
              parameters={writeDraft(draft, phase, rule).action_parameters ?? {}}
              missing={missing}
            />
          ) : null}
        </Section>
        <Section title="How long, and where in the list">
          <ExpiryField endsAt={draft.endsAt} onChange={endsAt => change({ endsAt })} />
          {rule === undefined ? (
            <PlaceField words={words} entry={base} value={place} onChange={setPlace} />
          ) : (
            <Switch
              label="On"
              checked={draft.enabled}
              onChange={event => change({ enabled: event.currentTarget.checked })}
            />
          )}
        </Section>
        <ApiCall call={call} />
        {insists && missing !== undefined ? (
          <Alert color="red" icon={<AlertIcon />} role="alert" title="Something is missing">
            {missing}
          </Alert>
        ) : null}
        {save.error === null ? null : (
          <SaveFailure
            error={save.error}
            onAgain={() => {
              setBase(entry)
              save.reset()
            }}
          />
        )}
        <Group gap="sm">
          <Permitted needs="zoneWaf write">
            {barred => (
              <Button type="submit" loading={save.isPending} {...barred}>
                {rule === undefined ? 'Deploy' : 'Save'}
              </Button>
            )}
          </Permitted>
          {rule === undefined ? (
            <Permitted needs="zoneWaf write">
              {barred => (
                <Button variant="default" disabled={save.isPending} onClick={() => submit(false)} {...barred}>
                  Save as draft
                </Button>
              )}
            </Permitted>
          ) : null}
          <Button variant="subtle" onClick={onClose}>
            Cancel
          </Button>
        </Group>
        {rule === undefined ? (
          <Text size="xs" c="dimmed">
            A draft is in the list and switched off.
          </Text>
        ) : null}
      </Stack>
    </form>
  )
}

function callOf(at: At, draft: Draft, rule: Rule | undefined, place: string): Call {
  const definition = writeDraft(draft, at.phase, rule)
  return rule === undefined
    ? createCall(at, definition, positionOf(at, place))
    : updateCall(at, rule.id, definition)
}

/** Undefined is the end of the list. Exceptions go before what they are exceptions from. */
function positionOf({ entry, phase }: At, place: string): Position | undefined {
  if (place === 'first') return { before: '' }
  if (place !== 'last') return { after: place }
  const executed = entry?.rules.find(({ action }) => action === 'execute')
  return phase === 'http_request_firewall_managed' && executed !== undefined
    ? { before: executed.id }
    : undefined
}

interface ActionProps {
  readonly zoneId: string
  readonly words: PhaseWords
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
}

function ActionFields({ zoneId, words, draft, onChange }: ActionProps) {
  const { phase, actions } = words
  const skips = {
    skip: draft.skip,
    logging: draft.logging,
    onChange: (skip: Draft['skip']) => onChange({ skip }),
    onLogging: (logging: boolean) => onChange({ logging }),
  }
  if (phase === 'http_request_firewall_managed') return <ExceptionFields zoneId={zoneId} {...skips} />
  const offered = actions.includes(draft.action) ? actions : [...actions, draft.action]
  return (
    <>
      <Select
        label="Action"
        data={offered.map(value => ({ value, label: actionLabel(value) }))}
        value={draft.action}
        allowDeselect={false}
        maw={420}
        onChange={action => {
          if (action !== null) onChange({ action })
        }}
      />
      {draft.action === 'block' ? (
        <ResponseFields
          response={draft.response}
          statusCode={phase === 'http_ratelimit' ? 429 : 403}
          onChange={response => onChange({ response })}
        />
      ) : null}
      {draft.action === 'skip' ? <SkipFields phase={phase} {...skips} /> : null}
      {phase === 'http_ratelimit' && isLimited(draft.action) ? (
        <TimeoutField limit={draft.limit} onChange={limit => onChange({ limit })} />
      ) : null}
    </>
  )
}

interface PlaceProps {
  readonly words: PhaseWords
  readonly entry: Entry | null
  readonly value: string
  readonly onChange: (place: string) => void
}

function PlaceField({ words, entry, value, onChange }: PlaceProps) {
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
      onChange={place => {
        if (place !== null) onChange(place)
      }}
    />
  )
}

function SaveFailure({ error, onAgain }: { readonly error: Error; readonly onAgain: () => void }) {
  if (!isStale(error))
    return (
      <Alert color="red" icon={<AlertIcon />} role="alert" title="It was not saved">
        <FailureText error={error} />
      </Alert>
    )
  const [entry] = error instanceof ApiFailure ? error.entries : []
  return (
    <Alert color="yellow" icon={<AlertIcon />} role="alert" title="Somebody changed the list meanwhile">
      <Stack gap="sm">
        <Text size="sm" className="wrap">
          {entry?.message}
        </Text>
        <Text size="sm">
          Nothing of yours is lost. What they changed is read; save again to have yours as well. If they
          changed this very rule, yours takes its place.
        </Text>
        <Button w="fit-content" variant="default" onClick={onAgain}>
          Go on with the newest version
        </Button>
      </Stack>
    </Alert>
  )
}
