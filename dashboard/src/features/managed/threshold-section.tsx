import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { rulesToReach, thresholds } from '../../managed/words.ts'
import { NumberField } from '../../ui/number-field.tsx'
import { Section } from '../../ui/section.tsx'

interface Props {
  readonly threshold: number
  readonly disabled: boolean
  onChange(threshold: number): void
}

/** The score at which the action is taken. */
export function ThresholdSection({ threshold, disabled, onChange }: Props) {
  const isNamed = thresholds.some(({ value }) => value === threshold)
  const [own, setOwn] = useState(!isNamed)
  const chosen = own || !isNamed ? 'own' : String(threshold)
  const rules = rulesToReach(threshold)
  return (
    <Section
      title="Score threshold"
      text="Every rule that matches adds its points to the request’s score: 5 when it is critical, 4 for an error, 3 for a warning, 2 for a notice. At the threshold, or above it, the action is taken. A low sensitivity is a high number: more rules must match."
    >
      <SegmentedControl
        aria-label="Score threshold"
        fullWidth
        maw={480}
        disabled={disabled}
        value={chosen}
        onChange={value => {
          setOwn(value === 'own')
          if (value !== 'own') onChange(Number(value))
        }}
        data={[
          ...thresholds.map(({ name, value }) => ({ value: String(value), label: `${name} ${value}` })),
          { value: 'own', label: 'Number' },
        ]}
      />
      <Stack gap="xs">
        {chosen === 'own' ? (
          <NumberField
            label="Threshold"
            maw={160}
            min={1}
            max={100_000}
            disabled={disabled}
            value={threshold}
            onChange={onChange}
          />
        ) : null}
        <Text size="sm" aria-live="polite">
          The action is taken at {threshold} points: when {rules} critical{' '}
          {rules === 1 ? 'rule matches' : 'rules match'}, or more of the others.
        </Text>
      </Stack>
    </Section>
  )
}
