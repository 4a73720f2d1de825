import { Progress, Text } from '@mantine/core'
import classes from './score-bar.module.css'

interface Props {
  readonly score: number
  readonly threshold: number
  /** Label for screen readers, such as “Score of the request”. */
  readonly label: string
}

/** A score relative to the threshold of its ruleset; the text states the same. */
export function ScoreBar({ score, threshold, label }: Props) {
  const share = threshold === 0 ? 100 : Math.min(100, (score / threshold) * 100)
  const tone = score >= threshold ? 'bad' : score === 0 ? 'good' : 'warn'
  return (
    <div className={classes['score']}>
      <Progress.Root size={6}>
        <Progress.Section value={share} color={`var(--sluice-${tone})`} aria-label={label} />
      </Progress.Root>
      <Text size="xs" c="dimmed" ta="right">
        {score} of {threshold}
      </Text>
    </div>
  )
}
