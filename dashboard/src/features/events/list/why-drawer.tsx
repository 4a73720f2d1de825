import { Drawer, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useRead } from '../../../api/hooks.ts'
import type { SecurityRay } from '../../../api/types.ts'
import { trySearch } from '../../../domain/links/try-link.ts'
import { phaseName } from '../../../domain/ruleset/phase-name.ts'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { StatusDot } from '../../../ui/display/status-dot.tsx'
import { LinkButton } from '../../../ui/page/links.tsx'
import { FailureState } from '../../../ui/page/states.tsx'
import classes from '../events.module.css'
import type { RuleNames } from '../use-rule-names.ts'
import { actionLabel, actionTone, outcomeWords } from '../words.ts'
import { MatchedRules } from './matched-rules.tsx'

interface Props {
  readonly zoneId: string
  /** Empty when closed. */
  readonly rayId: string
  readonly names: RuleNames
  readonly onClose: () => void
}

/** Explains the response to one request: every phase and rule, in order. */
export function WhyDrawer({ zoneId, rayId, names, onClose }: Props) {
  return (
    <Drawer
      opened={rayId !== ''}
      onClose={onClose}
      position="right"
      size="xl"
      title={`Ray ID ${rayId}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {rayId === '' ? null : <Content zoneId={zoneId} rayId={rayId} names={names} />}
    </Drawer>
  )
}

function Content({ zoneId, rayId, names }: Omit<Props, 'onClose'>) {
  const { data, error } = useRead('GET /zones/{zone_id}/security/rays/{ray_id}', {
    path: { zone_id: zoneId, ray_id: rayId },
  })
  if (error !== null) return <FailureState title="No data for this Ray ID" error={error} />
  if (data === undefined) return <Loader role="img" aria-label="Searching for the request" />
  return <Ray ray={data} names={names} />
}

function Ray({ ray, names }: { readonly ray: SecurityRay; readonly names: RuleNames }) {
  const [event] = ray.events
  return (
    <Stack gap="md">
      <Stack gap={4}>
        <Text fw={600} className="wrap">
          {requestText(ray)}
        </Text>
        <Group gap={4}>
          <Text size="sm" c="dimmed">
            {new Date(ray.datetime).toISOString()}
            {statusText(ray)}
          </Text>
          <CopyButton text={ray.ray_id} what="Ray ID" />
        </Group>
      </Stack>
      <ol className={classes['phases']} aria-label="Phases, in order">
        {ray.phases.map((phase, index) => (
          <Phase key={phase.phase} phase={phase} number={index + 1} names={names} />
        ))}
      </ol>
      <Text size="sm" c="dimmed">
        {searchText(ray.request_search)}
      </Text>
      {event === undefined ? null : (
        <LinkButton to="/try" search={trySearch(event)} variant="default" w="fit-content">
          Trace this request
        </LinkButton>
      )}
    </Stack>
  )
}

function requestText({ events: [event], request }: SecurityRay): string {
  if (event !== undefined) return `${event.method} ${event.host}${event.path}${event.query}`
  return request === null
    ? 'A request'
    : `${request['ClientRequestMethod']} ${request['ClientRequestHost']}${request['ClientRequestURI']}`
}

function statusText({ events: [event], request }: SecurityRay): string {
  const status = event?.edge_status ?? request?.['EdgeResponseStatus']
  return status === undefined ? '' : `, response status ${status}`
}

function searchText(search: SecurityRay['request_search']): string {
  if (search === 'found') return 'The request’s record was found: the list of matches is complete.'
  if (search === 'unfinished')
    return 'The search for the request’s record timed out: this list comes from events. Try again for the complete list.'
  return 'The request’s record has expired: this list comes from events.'
}

interface PhaseProps {
  readonly phase: SecurityRay['phases'][number]
  readonly number: number
  readonly names: RuleNames
}

function Phase({ phase: { phase, outcome, rules }, number, names }: PhaseProps) {
  const { tone, text } = outcomeWords(outcome)
  return (
    <li className={classes['phase']}>
      <Group justify="space-between" gap="sm">
        <Title order={3}>
          {number}. {phaseName(phase)}
        </Title>
        <Text size="sm" c="dimmed" component="span">
          <StatusDot tone={tone}>{text}</StatusDot>
        </Text>
      </Group>
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one rule can act several times, and the list is constant
        <Rule key={`${rule.rule_id} ${index}`} rule={rule} names={names} />
      ))}
    </li>
  )
}

function Rule({
  rule,
  names,
}: {
  readonly rule: PhaseProps['phase']['rules'][number]
  readonly names: RuleNames
}) {
  const { action, rule_id: id, description, score, threshold, matched } = rule
  const name = description || (id === '' ? 'Managed ruleset' : names(id))
  return (
    <Stack gap="xs" className={classes['rule']}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" fw={600} className="wrap">
          {name}
        </Text>
        {action === null ? null : (
          <Text size="sm" component="span">
            <StatusDot tone={actionTone(action)}>{actionLabel(action)}</StatusDot>
          </Text>
        )}
      </Group>
      {id === '' || id === name ? null : (
        <Text size="xs" c="dimmed" className="mono wrap">
          {id}
        </Text>
      )}
      {score === null ? null : (
        <Text size="sm">
          Score {score}
          {threshold === null ? '' : `, threshold ${threshold}`}
        </Text>
      )}
      {matched.length === 0 ? null : (
        <MatchedRules rules={matched} omitted={rule.matched_omitted} threshold={threshold} names={names} />
      )}
    </Stack>
  )
}
