import { Alert, Button, Checkbox, Drawer, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { SecurityEvent } from '../../api/types.ts'
import { owaspRulesetId } from '../../managed/document.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { FailureText } from '../../ui/failure-text.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { Permitted } from '../../ui/permitted.tsx'
import type { TimeRange } from '../../ui/time-range.tsx'
import { createCall } from '../rules/calls.ts'
import { writeDraft } from '../rules/draft.ts'
import { ExpiryField } from '../rules/expiry-field.tsx'
import { useRules } from '../rules/use-rules.ts'
import { isStale, useSave } from '../rules/use-save.ts'
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
import type { RuleNames } from './use-rule-names.ts'

const phase = 'http_request_firewall_managed'

interface Props {
  readonly zoneId: string
  readonly event: SecurityEvent | undefined
  /** Of the recorded events that it is replayed against. */
  readonly range: TimeRange
  readonly names: RuleNames
  readonly onClose: () => void
}

/** An exception from an event: the smallest that lets it pass, wider on request, and shown before it is made. */
export function ExceptionDrawer({ event, onClose, ...rest }: Props) {
  return (
    <Drawer
      opened={event !== undefined}
      onClose={onClose}
      position="right"
      size="xl"
      title="Make an exception"
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
  const preview = usePreview(
    zoneId,
    range,
    draft.expression,
    rule.action_parameters ?? {},
    choice.rules.length > 0,
  )
  const executed = entry?.rules.find(
    ({ action, action_parameters }) => action === 'execute' && action_parameters?.id === owaspRulesetId,
  )
  const save = useSave(zoneId, phase, {
    done: `The exception is made: in force at every edge within a second.`,
    onDone: onClose,
  })
  const call =
    entry === undefined || executed === undefined
      ? undefined
      : createCall({ zoneId, phase, entry }, rule, { before: executed.id })
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault()
    if (call !== undefined && choice.rules.length > 0 && preview.isSettled && !save.isPending)
      save.mutate(call)
  }
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <Text size="sm">
          This is the smallest exception with which the request would not have been held up. Take conditions
          away to make it wider; below is what it would let through.
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
        {entry === undefined || executed !== undefined ? null : (
          <Alert color="yellow" icon={<AlertIcon />} title="An exception of this zone would do nothing">
            The zone does not execute the managed ruleset itself; the account does. Exceptions belong to
            whoever executes it.
          </Alert>
        )}
        {unread === null ? null : (
          <Alert color="red" icon={<AlertIcon />} role="alert" title="The rules of the zone cannot be read">
            <FailureText error={unread} />
          </Alert>
        )}
        {call === undefined ? null : <ApiCall call={call} />}
        {save.error === null ? null : <SaveFailure error={save.error} />}
        <Group gap="sm">
          <Permitted needs="zoneWaf write">
            {barred => (
              <Button
                type="submit"
                loading={save.isPending}
                disabled={call === undefined || choice.rules.length === 0 || !preview.isSettled}
                {...barred}
              >
                Deploy the exception
              </Button>
            )}
          </Permitted>
          <Button variant="subtle" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
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
    <Fieldset legend="Only for requests">
      <Stack gap="xs">
        <Checkbox
          label={<Condition text="to the host" value={hostOf(event)} />}
          checked={host}
          onChange={({ currentTarget: { checked } }) => onChange({ host: checked })}
        />
        <Checkbox
          label={<Condition text="to the path" value={event.path} />}
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
            It is for all requests of the zone now.
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
    <Fieldset legend="These rules are left out">
      <Stack gap="xs">
        {rules.map(({ id, ref, score: points, target }) => {
          const name = names(id)
          return (
            <Checkbox
              key={id}
              label={name === id ? ref || id : name}
              description={`${points} points, in ${target}${namedValue(target) === undefined && choice.onlyValue ? '; left out as a whole, for this is no value by itself' : ''}`}
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
            Choose all {rules.length}
          </Button>
        )}
        <Checkbox
          mt="xs"
          label="Only for the values named above"
          description="The rules go on to look at the rest of the request. Without this they do not look at it at all."
          checked={choice.onlyValue}
          onChange={({ currentTarget: { checked } }) => onChange({ onlyValue: checked })}
        />
        <Text size="sm" role="status">
          {score < threshold
            ? `Score ${score} of ${threshold}: a rule stopped this request by itself.`
            : `This request would come to ${left} of ${threshold}, and ${left < threshold ? 'go on' : 'still be held up'}.`}
        </Text>
        {choice.rules.length === 0 ? (
          <Text size="sm" c="var(--mantine-color-error)">
            Choose at least one rule.
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
    <Alert color="yellow" icon={<AlertIcon />} role="alert" title="Somebody changed the list meanwhile">
      Nothing was saved. The list is read again, and deploying once more adds yours to what they made.
    </Alert>
  ) : (
    <Alert color="red" icon={<AlertIcon />} role="alert" title="It was not saved">
      <FailureText error={error} />
    </Alert>
  )
}
