import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './match-row.module.css'

interface Props {
  readonly rule: ReactNode
  /** Such as `ARGS:q`; empty when the event does not name it. */
  readonly target: string
  /** The matched value, when known. */
  readonly value?: string | undefined
  readonly points: number
  /** The score up to and including this rule. */
  readonly running: ReactNode
  readonly children?: ReactNode
}

/** A managed rule that matched: target, value and points. */
export function MatchRow({ rule, target, value, points, running, children }: Props) {
  return (
    <div className={classes['match']}>
      <div className={classes['target']}>
        <Text size="sm" className="wrap">
          {rule}
        </Text>
        <Text size="sm" c="dimmed" className="wrap">
          {target === '' ? 'in the request' : 'in '}
          <span className="mono">{target}</span>
          {value === undefined ? null : (
            <>
              {': '}
              <span className={`mono ${classes['value']}`}>{value}</span>
            </>
          )}
        </Text>
        {children}
      </div>
      <div className={classes['points']}>
        <Text size="sm" fw={600}>
          +{points}
        </Text>
        {running}
      </div>
    </div>
  )
}
