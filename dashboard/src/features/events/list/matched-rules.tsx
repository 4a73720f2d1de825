import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { SecurityEvent } from '../../../api/types.ts'
import { MatchRow } from '../../../domain/ruleset/match-row.tsx'
import { ScoreBar } from '../../../domain/ruleset/score-bar.tsx'
import classes from '../events.module.css'
import { countingRules } from '../exception/exception.ts'
import type { Payload } from '../payload/payload.ts'
import type { RuleNames } from '../use-rule-names.ts'

interface Props {
  readonly rules: NonNullable<SecurityEvent['metadata']['rules']>
  /** Number of matched rules that the event omits. */
  readonly omitted: number
  /** Null when unknown. */
  readonly threshold: number | null
  readonly names: RuleNames
  /** Decrypted matched values. */
  readonly payload?: Payload | undefined
}

/** Rows before “Show all”. */
const shownFirst = 30

/** Matched rules in order, each with its points and the running score. */
export function MatchedRules({ rules, omitted, threshold, names, payload }: Props) {
  const [all, setAll] = useState(false)
  const shown = all ? rules : countingRules(rules).slice(0, shownFirst)
  const values = new Map(payload?.rules.map(({ id, value }) => [id, value]))
  return (
    <>
      <ol className={classes['matches']} aria-label="Matched rules">
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
                    {total} in total
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
          Show all {rules.length}, including rules without points
        </Button>
      ) : null}
      {omitted === 0 ? null : (
        <Text size="sm" c="dimmed">
          {omitted.toLocaleString()} more matches are not part of the event.
        </Text>
      )}
    </>
  )
}

/** Descriptions of managed rules begin with their CRS numbers. */
function titleOf(name: string, id: string, ref: string): string {
  if (name === id) return ref || id
  return ref === '' || name.startsWith(ref) ? name : `${ref}: ${name}`
}
