import { Button, Collapse, Group, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useId, useState } from 'react'
import type { TraceItem } from '../../api/types.ts'
import { MatchRow } from '../../ui/match-row.tsx'
import { ScoreBar } from '../../ui/score-bar.tsx'
import { Conditions } from './conditions.tsx'
import classes from './trace.module.css'
import { actionName } from './trace-text.ts'

/** Rows that are shown at first. */
const shownFirst = 30

/** What a managed ruleset found: its rules that matched, one after the other, and what they come to. */
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
          version {version}, {rulesOn.toLocaleString()} rules on
        </Text>
      </Group>
      <ScoreBar score={score} threshold={threshold} label="Score of the request" />
      <Text size="sm">{sentence(run)}</Text>
      {matches.length === 0 ? (
        <Text size="sm" c="dimmed">
          No rule of it matched.
        </Text>
      ) : (
        <ol className={classes['matches']} aria-label="Rules that matched">
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
          {run.matches_omitted} more matched.
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
  const rest = incomplete ? ' Not all rules were evaluated: the request used up its work budget.' : ''
  if (acts === false) return `Its last rule is off or skipped, so nothing is done.${rest}`
  if (score >= threshold) return `The threshold is reached: ${actionName(action)}.${rest}`
  if (acted) return `A rule of it stops the request by itself.${rest}`
  return `Below the threshold, so nothing is done.${rest}`
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
                {opened ? '▾' : '▸'} Why it matches
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
