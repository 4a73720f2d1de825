import { Alert, Button, Checkbox, Drawer, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { SecurityEvent } from '../../../api/types.ts'
import { owaspRulesetId } from '../../../domain/ruleset/owasp/document.ts'
import { createCall } from '../../../domain/ruleset/rules/calls.ts'
import type { Rule } from '../../../domain/ruleset/rules/document.ts'
import { writeDraft } from '../../../domain/ruleset/rules/draft.ts'
import { ExpiryField } from '../../../domain/ruleset/rules/expiry-field.tsx'
import { useRules } from '../../../domain/ruleset/rules/use-rules.ts'
import { isStale, useSave } from '../../../domain/ruleset/rules/use-save.ts'
import type { TimeRange } from '../../../ui/address/time-range.tsx'
import { Permitted } from '../../../ui/controls/permitted.tsx'
import { ApiCall } from '../../../ui/display/api-call.tsx'
import { FailureText } from '../../../ui/display/failure-text.tsx'
import { AlertIcon } from '../../../ui/display/icons.tsx'
import type { RuleNames } from '../use-rule-names.ts'
import {
  draftOf,
  type ExceptionChoice,
  exceptableRules,
  hostOf,
  namedValue,
  remainingScore,
  smallestChoice,
} from './exception.ts'
import { ExceptionPreview, usePreview } from './exception-preview.tsx'

const phase = 'http_request_firewall_managed'

interface Props {
  readonly zoneId: string
  readonly event: SecurityEvent | undefined
  /** Time range of the recorded events for the preview. */
  readonly range: TimeRange
  readonly names: RuleNames
  readonly onClose: () => void
}

/** An exception from an event: starts with the narrowest scope, and previews its effect before it is deployed. */
export function ExceptionDrawer({ event, onClose, ...rest }: Props) {
  return (
    <Drawer
      opened={event !== undefined}
      onClose={onClose}
      position="right"
      size="xl"
      title="Create exception"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {event === undefined ? null : <Form key={event.id} event={event} onClose={onClose} {...rest} />}
    </Drawer>
  )
}

function Form({ zoneId, event, range, names, onClose }: Props & { readonly event: SecurityEvent }) {
  const [choice, setChoice] = useState(() => smallestChoice(event))
  const change = (part: Partial<ExceptionChoice>) => setChoice(before => ({ ...before, ...part }))
  const { entry, error: unread } = useRules(zoneId, phase)
  const draft = draftOf(event, choice)
  const rule = writeDraft(draft, phase, undefined)
  const hasRules = choice.rules.length > 0
  const preview = usePreview(zoneId, range, draft.expression, rule.action_parameters ?? {}, hasRules)
  const executed = entry?.rules.find(executesOwasp)
  const save = useSave(zoneId, phase, {
    done: 'Exception deployed',
    onDone: onClose,
  })
  const call =
    entry === undefined || executed === undefined
      ? undefined
      : createCall({ zoneId, phase, entry }, rule, { before: executed.id })
  const isReady = hasRules && preview.isSettled
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault()
    if (call !== undefined && isReady && !save.isPending) save.mutate(call)
  }
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <Text size="sm">
          The narrowest exception that allows this request. Remove conditions to widen it; the preview below
          shows its effect.
        </Text>
        <RequestFields event={event} choice={choice} onChange={change} />
        <RuleFields event={event} choice={choice} names={names} onChange={change} />
        <ExpiryField endsAt={choice.endsAt} onChange={endsAt => change({ endsAt })} />
        <TextInput
          label="Exception name"
          value={choice.description}
          maxLength={500}
          onChange={typed => change({ description: typed.currentTarget.value })}
        />
        <ExceptionPreview preview={preview} />
        {entry === undefined || executed !== undefined ? null : <NothingToExcept />}
        {unread === null ? null : <Unread error={unread} />}
        {call === undefined ? null : <ApiCall call={call} />}
        {save.error === null ? null : <SaveFailure error={save.error} />}
        <Buttons saving={save.isPending} disabled={call === undefined || !isReady} onCancel={onClose} />
      </Stack>
    </form>
  )
}

function executesOwasp({ action, action_parameters }: Rule): boolean {
  return action === 'execute' && action_parameters?.id === owaspRulesetId
}

function NothingToExcept() {
  return (
    <Alert color="yellow" icon={<AlertIcon />} title="An exception in this zone has no effect">
      The account executes the managed ruleset, not the zone. Create the exception in the account’s rules.
    </Alert>
  )
}

function Unread({ error }: { readonly error: unknown }) {
  return (
    <Alert color="red" icon={<AlertIcon />} role="alert" title="Failed to load the zone’s rules">
      <FailureText error={error} />
    </Alert>
  )
}

interface ButtonsProps {
  readonly saving: boolean
  readonly disabled: boolean
  readonly onCancel: () => void
}

function Buttons({ saving, disabled, onCancel }: ButtonsProps) {
  return (
    <Group gap="sm">
      <Permitted needs="zoneWaf write">
        {barred => (
          <Button type="submit" loading={saving} disabled={disabled} {...barred}>
            Deploy
          </Button>
        )}
      </Permitted>
      <Button variant="subtle" onClick={onCancel}>
        Cancel
      </Button>
    </Group>
  )
}

interface FieldsProps {
  readonly event: SecurityEvent
  readonly choice: ExceptionChoice
  readonly onChange: (part: Partial<ExceptionChoice>) => void
}

function RequestFields({ event, choice, onChange }: FieldsProps) {
  const { host, path, method } = choice
  return (
    <Fieldset legend="Requests">
      <Stack gap="xs">
        <Checkbox
          label={<Condition text="with the host" value={hostOf(event)} />}
          checked={host}
          onChange={({ currentTarget: { checked } }) => onChange({ host: checked })}
        />
        <Checkbox
          label={<Condition text="with the path" value={event.path} />}
          checked={path}
          onChange={({ currentTarget: { checked } }) => onChange({ path: checked })}
        />
        <Checkbox
          label={<Condition text="with the method" value={event.method} />}
          checked={method}
          onChange={({ currentTarget: { checked } }) => onChange({ method: checked })}
        />
        {host || path || method ? null : (
          <Text size="sm" c="var(--sluice-warn)">
            Applies to all requests of the zone.
          </Text>
        )}
      </Stack>
    </Fieldset>
  )
}

function Condition({ text, value }: { readonly text: string; readonly value: string }) {
  return (
    <span className="wrap">
      {text} <span className="mono">{value}</span>
    </span>
  )
}

function RuleFields({ event, choice, names, onChange }: FieldsProps & { readonly names: RuleNames }) {
  const rules = exceptableRules(event)
  const { score = 0, threshold = 0 } = event.metadata
  const left = remainingScore(event, choice)
  const all = rules.length === choice.rules.length
  return (
    <Fieldset legend="Skipped rules">
      <Stack gap="xs">
        {rules.map(({ id, ref, score: points, target }) => {
          const name = names(id)
          return (
            <Checkbox
              key={id}
              label={name === id ? ref || id : name}
              description={`${points} points, in ${target}${namedValue(target) === undefined && choice.onlyValue ? '; skipped for the whole request, as this target is not a single value' : ''}`}
              checked={choice.rules.includes(id)}
              onChange={({ currentTarget: { checked } }) =>
                onChange({
                  rules: rules.flatMap(rule => (chosen(rule.id, id, checked, choice) ? [rule.id] : [])),
                })
              }
            />
          )
        })}
        {rules.length < 2 ? null : (
          <Button
            variant="default"
            size="compact-sm"
            w="fit-content"
            disabled={all}
            onClick={() => onChange({ rules: rules.map(({ id }) => id) })}
          >
            Select all {rules.length}
          </Button>
        )}
        <Checkbox
          mt="xs"
          label="Only for these values"
          description="The rules still inspect the rest of the request. Otherwise they are skipped entirely."
          checked={choice.onlyValue}
          onChange={({ currentTarget: { checked } }) => onChange({ onlyValue: checked })}
        />
        <Text size="sm" role="status">
          {score < threshold
            ? `Score ${score} of ${threshold}: a single rule stopped this request.`
            : `With this exception: score ${left} of ${threshold}, ${left < threshold ? 'allowed' : 'still mitigated'}.`}
        </Text>
        {choice.rules.length === 0 ? (
          <Text size="sm" c="var(--mantine-color-error)">
            Select at least one rule.
          </Text>
        ) : null}
      </Stack>
    </Fieldset>
  )
}

function chosen(id: string, changed: string, checked: boolean, { rules }: ExceptionChoice): boolean {
  return id === changed ? checked : rules.includes(id)
}

function SaveFailure({ error }: { readonly error: Error }) {
  return isStale(error) ? (
    <Alert color="yellow" icon={<AlertIcon />} role="alert" title="Rules changed by someone else">
      Nothing was saved. The rules are refreshed; deploy again to add your exception to them.
    </Alert>
  ) : (
    <Alert color="red" icon={<AlertIcon />} role="alert" title="Failed to deploy">
      <FailureText error={error} />
    </Alert>
  )
}
