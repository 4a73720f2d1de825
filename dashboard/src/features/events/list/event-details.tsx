import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SecurityEvent } from '../../../api/types.ts'
import { trySearch } from '../../../domain/links/try-link.ts'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { LinkButton } from '../../../ui/page/links.tsx'
import classes from '../events.module.css'
import { canExcept, countingRules, matchedRules } from '../exception/exception.ts'
import { PayloadReader } from '../payload/payload-reader.tsx'
import type { PayloadKey } from '../payload/use-payload.ts'
import { usePayload } from '../payload/use-payload.ts'
import type { RuleNames } from '../use-rule-names.ts'
import { actionLabel, countryLabel, sourceLabel } from '../words.ts'
import { MatchedRules } from './matched-rules.tsx'

interface Props {
  readonly event: SecurityEvent
  readonly names: RuleNames
  readonly payloadKey: PayloadKey
  readonly onExcept: (event: SecurityEvent) => void
  readonly onWhy: (rayId: string) => void
}

/** All details of an event, and links to related tasks. */
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
              Create exception…
            </Button>
          ) : null}
          <Button size="xs" variant="default" onClick={() => onWhy(event.ray_id)}>
            Why?
          </Button>
          <LinkButton size="xs" variant="default" to="/try" search={trySearch(event)}>
            Trace this request
          </LinkButton>
        </Group>
      </Stack>
      {rules.length === 0 && encrypted === undefined ? null : (
        <Stack gap="sm">
          <Title order={3}>{titleOf(event, countingRules(rules).length)}</Title>
          {hasReached(event) ? (
            <Text size="sm" c="dimmed">
              Each rule adds its points. At {metadata.threshold} or more, the action applies:{' '}
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

/** True when the score decided. A rule can also stop a request directly. */
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
    ['Response', event.edge_status === 0 ? 'none' : `status ${event.edge_status}`],
    ['Origin', event.origin_status === 0 ? 'not contacted' : `status ${event.origin_status}`],
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
      <CopyButton text={rayId} what="Ray ID" />
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
