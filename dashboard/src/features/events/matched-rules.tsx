import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { SecurityEvent } from '../../api/types.ts'
import { MatchRow } from '../../ui/match-row.tsx'
import { ScoreBar } from '../../ui/score-bar.tsx'
import classes from './events.module.css'
import { countingRules } from './exception.ts'
import type { Payload } from './payload.ts'
import type { RuleNames } from './use-rule-names.ts'

interface Props {
  readonly rules: NonNullable<SecurityEvent['metadata']['rules']>
  /** How many more matched. */
  readonly omitted: number
  /** Null when it is not known. */
  readonly threshold: number | null
  readonly names: RuleNames
  /** What they matched, when it was decrypted. */
  readonly payload?: Payload | undefined
}

/** Rows that are shown at first. */
const shownFirst = 30

/** Rules that matched, one after the other, each with its points and what the score came to. */
export function MatchedRules({ rules, omitted, threshold, names, payload }: Props) {
  const [all, setAll] = useState(false)
  const shown = all ? rules : countingRules(rules).slice(0, shownFirst)
  const values = new Map(payload?.rules.map(({ id, value }) => [id, value]))
  return (
    <>
      <ol className={classes['matches']} aria-label="Rules that matched">
        {shown.map(({ id, ref, score, total, target }) => (
          <li key={id}>
            <MatchRow
              rule={titleOf(names(id), id, ref)}
              target={target}
              value={values.get(id)}
              points={score}
              running={
                threshold === null ? (
                  <Text size="sm" c="dimmed">
                    {total} so far
                  </Text>
                ) : (
                  <ScoreBar score={total} threshold={threshold} label={`Score after rule ${ref || id}`} />
                )
              }
            />
          </li>
        ))}
      </ol>
      {shown.length < rules.length ? (
        <Button variant="subtle" size="compact-sm" w="fit-content" onClick={() => setAll(true)}>
          Show all {rules.length}, also those without points
        </Button>
      ) : null}
      {omitted === 0 ? null : (
        <Text size="sm" c="dimmed">
          {omitted.toLocaleString()} more matched, which the event does not list.
        </Text>
      )}
    </>
  )
}

/** Descriptions of managed rules begin with their numbers. */
function titleOf(name: string, id: string, ref: string): string {
  if (name === id) return ref || id
  return ref === '' || name.startsWith(ref) ? name : `${ref}: ${name}`
}
