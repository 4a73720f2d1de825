import { Button, Collapse, Group, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useId, useState } from 'react'
import type { TraceItem } from '../../../api/types.ts'
import { MatchRow } from '../../../domain/ruleset/match-row.tsx'
import { ScoreBar } from '../../../domain/ruleset/score-bar.tsx'
import { Conditions } from './conditions.tsx'
import classes from './trace.module.css'
import { actionName } from './trace-text.ts'

/** Rows before “Show all”. */
const shownFirst = 30

/** Results of a managed ruleset: its matched rules in order, and the score. */
export function ManagedRun({ run }: { readonly run: TraceItem }) {
  const { name = '', version, score = 0, score_threshold: threshold = 0, rules_on: rulesOn = 0 } = run
  const [all, setAll] = useState(false)
  const matches = (run.trace ?? []).filter(item => item.match !== undefined)
  const shown = all ? matches : matches.slice(0, shownFirst)
  return (
    <Stack gap="sm" className={classes['run']}>
      <Group justify="space-between" align="baseline" gap="sm">
        <Text size="sm" fw={600}>
          {name || 'Managed ruleset'}
        </Text>
        <Text size="xs" c="dimmed">
          version {version}, {rulesOn.toLocaleString()} rules enabled
        </Text>
      </Group>
      <ScoreBar score={score} threshold={threshold} label="Request score" />
      <Text size="sm">{sentence(run)}</Text>
      {matches.length === 0 ? (
        <Text size="sm" c="dimmed">
          No rule matched.
        </Text>
      ) : (
        <ol className={classes['matches']} aria-label="Matched rules">
          {shown.map(item => (
            <Match key={`${item.step_name} ${item.match?.target}`} item={item} />
          ))}
        </ol>
      )}
      {shown.length < matches.length ? (
        <Button variant="default" size="xs" onClick={() => setAll(true)} w="fit-content">
          Show all {matches.length}
        </Button>
      ) : null}
      {(run.matches_omitted ?? 0) > 0 ? (
        <Text size="sm" c="dimmed">
          {run.matches_omitted} more rules matched.
        </Text>
      ) : null}
    </Stack>
  )
}

function sentence({
  score = 0,
  score_threshold: threshold = 0,
  action = '',
  acts,
  acted,
  incomplete,
}: TraceItem): string {
  const rest = incomplete ? ' Some rules were not evaluated: the request exceeded its work budget.' : ''
  if (acts === false) return `The anomaly score rule is disabled or skipped: no action.${rest}`
  if (score >= threshold) return `Threshold reached: ${actionName(action)}.${rest}`
  if (acted) return `A single rule stops the request.${rest}`
  return `Below the threshold: no action.${rest}`
}

function Match({ item }: { readonly item: TraceItem }) {
  const [opened, { toggle }] = useDisclosure(false)
  const id = useId()
  const { match } = item
  if (match === undefined) return null
  const level = match.paranoia_level === 0 ? '' : `PL${match.paranoia_level}`
  return (
    <li>
      <MatchRow
        rule={
          <>
            <span className="mono">{item.ref}</span> {item.description}
          </>
        }
        target={match.target}
        value={match.value === '' ? undefined : match.value}
        points={match.score}
        running={
          <ScoreBar
            score={match.total}
            threshold={match.score_threshold}
            label={`Score after rule ${item.ref}`}
          />
        }
      >
        <Group gap="sm">
          <Text size="xs" c="dimmed">
            {[level, match.severity.toLowerCase()].filter(part => part !== '').join(', ')}
          </Text>
          {match.conditions.length === 0 ? null : (
            <UnstyledButton onClick={toggle} aria-expanded={opened} aria-controls={id}>
              <Text size="xs" c="var(--mantine-color-anchor)">
                {opened ? '▾' : '▸'} Match details
                <VisuallyHidden>: {item.ref}</VisuallyHidden>
              </Text>
            </UnstyledButton>
          )}
        </Group>
      </MatchRow>
      <Collapse expanded={opened} id={id}>
        {opened ? <Conditions conditions={match.conditions} /> : null}
      </Collapse>
    </li>
  )
}
