import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { rulesToReach, thresholds } from '../../domain/ruleset/owasp/words.ts'
import { NumberField } from '../../ui/controls/number-field.tsx'
import { Section } from '../../ui/page/section.tsx'

interface Props {
  readonly threshold: number
  readonly disabled: boolean
  onChange(threshold: number): void
}

/** Score at which the action applies. */
export function ThresholdSection({ threshold, disabled, onChange }: Props) {
  const isNamed = thresholds.some(({ value }) => value === threshold)
  const [own, setOwn] = useState(!isNamed)
  const chosen = own || !isNamed ? 'own' : String(threshold)
  const rules = rulesToReach(threshold)
  return (
    <Section
      title="Score threshold"
      text="Each matching rule adds points to the request’s score: critical 5, error 4, warning 3, notice 2. The action applies at the threshold or above. Low sensitivity is a high threshold."
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
          { value: 'own', label: 'Custom' },
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
          The action applies at {threshold} points: {rules} matching critical {rules === 1 ? 'rule' : 'rules'}
          , or more rules of lower severity.
        </Text>
      </Stack>
    </Section>
  )
}
