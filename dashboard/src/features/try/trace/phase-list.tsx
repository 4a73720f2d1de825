import { Accordion, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { TraceItem } from '../../../api/types.ts'
import { phaseName } from '../../../domain/ruleset/phase-name.ts'
import { StatusDot } from '../../../ui/display/status-dot.tsx'
import { EmptyState } from '../../../ui/page/states.tsx'
import { ManagedRun } from './managed-run.tsx'
import classes from './trace.module.css'
import { actionName, evaluationText, phaseText } from './trace-text.ts'

/** Phases in the edge's order; those with matches are expanded. */
export function PhaseList({ phases }: { readonly phases: readonly TraceItem[] }) {
  const [opened, setOpened] = useState(() =>
    phases.filter(phase => phase.matched).map(phase => phase.step_name),
  )
  if (phases.length === 0)
    return (
      <EmptyState
        title="This zone has no rules"
        text="All requests reach the origin unchanged. Deploy the managed ruleset or create a custom rule."
      />
    )
  return (
    <Accordion
      multiple
      variant="contained"
      order={3}
      value={opened}
      onChange={setOpened}
      classNames={{ item: classes['phase'] ?? '' }}
    >
      {phases.map((phase, index) => {
        const { tone, text } = phaseText(phase)
        return (
          <Accordion.Item key={phase.step_name} value={phase.step_name}>
            <Accordion.Control>
              <Group justify="space-between" wrap="nowrap" gap="sm" pr="xs">
                <Text fw={600} size="md" className="wrap">
                  {index + 1}. {phaseName(phase.step_name)}
                </Text>
                <Text size="sm" c="dimmed" component="span">
                  <StatusDot tone={tone}>{text}</StatusDot>
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <Stack gap="md">
                {(phase.trace ?? []).map(item =>
                  item.type === 'rule' ? (
                    <ol key={item.step_name} className={classes['rules']}>
                      <Rule rule={item} />
                    </ol>
                  ) : (
                    <Ruleset key={item.step_name} ruleset={item} />
                  ),
                )}
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        )
      })}
    </Accordion>
  )
}

/** Longer rulesets show only rules with an effect at first. */
const shownWhole = 50
/** Rules that each click adds. */
const step = 100

function Ruleset({ ruleset }: { readonly ruleset: TraceItem }) {
  const { kind, level, name = '', version, trace = [] } = ruleset
  const [limit, setLimit] = useState(trace.length > shownWhole ? 0 : shownWhole)
  const rules = limit === 0 ? trace.filter(isNotable) : trace.slice(0, limit)
  const hidden = trace.length - rules.length
  const whose = level === 'account' ? 'of the account' : 'of the zone'
  const what = kind === 'custom' ? `Custom ruleset ${name}` : `Rules ${whose}`
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {what}, version {version}
      </Text>
      <ol className={classes['rules']}>
        {rules.map(rule => (
          <Rule key={rule.step_name} rule={rule} />
        ))}
      </ol>
      {hidden === 0 ? null : (
        <Group gap="sm" mt="xs">
          <Text size="sm" c="dimmed">
            {limit === 0
              ? `${hidden.toLocaleString()} rules without a match are hidden.`
              : `${hidden.toLocaleString()} more rules.`}
          </Text>
          <Button variant="default" size="xs" onClick={() => setLimit(limit + step)}>
            {limit === 0 ? 'Show all rules' : 'Show more'}
          </Button>
        </Group>
      )}
    </div>
  )
}

function isNotable({ evaluation, skipped_by: skippedBy }: TraceItem): boolean {
  return evaluation === 'matched' || evaluation === 'failed' || skippedBy !== undefined
}

function Rule({ rule }: { readonly rule: TraceItem }) {
  const { tone, text } = evaluationText(rule)
  const { action = '', did, skipped_by: skippedBy, expression = '' } = rule
  const isFaint = rule.evaluation !== 'matched'
  return (
    <li className={classes['rule']}>
      <Group justify="space-between" gap="sm" wrap="wrap" align="baseline">
        <Text size="sm" fw={isFaint ? 400 : 600} className="wrap" flex="1 1 200px">
          {ruleTitle(rule)}
        </Text>
        <Group gap="md" wrap="wrap">
          <Text size="sm" c="dimmed">
            {actionName(action)}
            {did !== undefined && actionName(did) !== actionName(action) ? `: ${actionName(did)}` : ''}
          </Text>
          <Text size="sm" component="span" miw={{ sm: 96 }}>
            <StatusDot tone={tone}>{text}</StatusDot>
          </Text>
        </Group>
      </Group>
      {expression === '' || expression === 'true' ? null : (
        <Text size="sm" c="dimmed" className={`mono wrap ${classes['expression']}`}>
          {expression}
        </Text>
      )}
      {skippedBy === undefined ? null : (
        <Text size="sm" c="dimmed">
          By skip rule <span className="mono">{skippedBy}</span>.
        </Text>
      )}
      {(rule.trace ?? []).map(inner =>
        inner.kind === 'managed' ? (
          <ManagedRun key={inner.step_name} run={inner} />
        ) : (
          <Ruleset key={inner.step_name} ruleset={inner} />
        ),
      )}
    </li>
  )
}

/** Rules that execute a ruleset often have no description. */
function ruleTitle({ description, trace = [], step_name: id }: TraceItem): string {
  if (description !== undefined && description !== '') return description
  const name = trace.find(inner => inner.type === 'ruleset')?.name ?? ''
  return name === '' ? `Rule ${id}` : `Execute ${name}`
}
