import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SecurityEvent } from '../../api/types.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LinkButton } from '../../ui/links.tsx'
import classes from './events.module.css'
import { canExcept, countingRules, matchedRules } from './exception.ts'
import { MatchedRules } from './matched-rules.tsx'
import { PayloadReader } from './payload-reader.tsx'
import { trySearch } from './try-search.ts'
import type { PayloadKey } from './use-payload.ts'
import { usePayload } from './use-payload.ts'
import type { RuleNames } from './use-rule-names.ts'
import { actionLabel, countryLabel, sourceLabel } from './words.ts'

interface Props {
  readonly event: SecurityEvent
  readonly names: RuleNames
  readonly payloadKey: PayloadKey
  readonly onExcept: (event: SecurityEvent) => void
  readonly onWhy: (rayId: string) => void
}

/** What an event says beyond its row, and what can be done about it. */
export function EventDetails({ event, names, payloadKey, onExcept, onWhy }: Props) {
  const { metadata } = event
  const rules = matchedRules(event)
  const encrypted = metadata.encrypted_matched_data
  const payload = usePayload(encrypted, payloadKey.value)
  return (
    <div className={classes['details']}>
      <Stack gap="sm">
        <Facts event={event} names={names} />
        <Group gap="xs">
          {canExcept(event) ? (
            <Button size="xs" onClick={() => onExcept(event)}>
              Make an exception…
            </Button>
          ) : null}
          <Button size="xs" variant="default" onClick={() => onWhy(event.ray_id)}>
            Why?
          </Button>
          <LinkButton size="xs" variant="default" to="/try" search={trySearch(event)}>
            Try it again
          </LinkButton>
        </Group>
      </Stack>
      {rules.length === 0 && encrypted === undefined ? null : (
        <Stack gap="sm">
          <Title order={3}>{titleOf(event, countingRules(rules).length)}</Title>
          {hasReached(event) ? (
            <Text size="sm" c="dimmed">
              Each rule adds its points. At {metadata.threshold} or more the action is taken:{' '}
              {actionLabel(event.action)}.
            </Text>
          ) : null}
          <MatchedRules
            rules={[...rules]}
            omitted={metadata.rules_omitted ?? 0}
            threshold={metadata.threshold ?? null}
            names={names}
            payload={payload.data}
          />
          {encrypted === undefined ? null : <PayloadReader payloadKey={payloadKey} payload={payload} />}
        </Stack>
      )}
    </div>
  )
}

/** Did the sum of points decide? A rule can also stop a request by itself. */
function hasReached({ metadata: { score, threshold } }: SecurityEvent): boolean {
  return score !== undefined && threshold !== undefined && score >= threshold
}

function titleOf({ metadata: { score, threshold } }: SecurityEvent, count: number): string {
  const rules = `${count} ${count === 1 ? 'rule' : 'rules'} matched`
  return score === undefined ? rules : `${rules}: score ${score}, threshold ${threshold ?? '–'}`
}

function Facts({ event, names }: { readonly event: SecurityEvent; readonly names: RuleNames }) {
  const { metadata, client_asn: asn, client_country: country } = event
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Ray ID', <RayId key="ray" rayId={event.ray_id} />],
    ['Time', new Date(event.datetime).toISOString()],
    ['Request', `${event.method} ${event.scheme}://${event.host}${event.path}${event.query}`],
    ['Client', `${event.client_ip}, ${countryLabel(country)}${asn === 0 ? '' : `, AS${asn}`}`],
    ['User agent', event.user_agent],
    ['Referer', event.referer],
    ['Protocol', event.protocol],
    ['Answered', event.edge_status === 0 ? 'not at all' : `with status ${event.edge_status}`],
    ['Origin', event.origin_status === 0 ? 'was not asked' : `answered ${event.origin_status}`],
    ['Service', sourceLabel(event.source)],
    ['Rule', <RuleName key="rule" name={names(event.rule_id)} id={event.rule_id} />],
    ['Version', metadata.ruleset_version ?? ''],
  ]
  return (
    <dl className={classes['facts']}>
      {facts.map(([name, value]) =>
        value === '' ? null : (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

function RayId({ rayId }: { readonly rayId: string }) {
  return (
    <Group gap={4} component="span">
      <span className="mono">{rayId}</span>
      <CopyButton text={rayId} what="the Ray ID" />
    </Group>
  )
}

function RuleName({ name, id }: { readonly name: string; readonly id: string }) {
  return (
    <>
      {name === id ? '' : `${name} `}
      <Text span c="dimmed" size="xs" className="mono">
        {id}
      </Text>
    </>
  )
}
