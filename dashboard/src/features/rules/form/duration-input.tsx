import { Group, Select } from '@mantine/core'
import { useState } from 'react'
import { durationText } from '../../../domain/ruleset/rules/words.ts'
import { NumberField } from '../../../ui/controls/number-field.tsx'

interface Props {
  readonly label: string
  readonly description?: string
  /** Suggested durations, in seconds. */
  readonly choices: readonly number[]
  /** Label of 0, where 0 is allowed. */
  readonly zero?: string
  readonly min: number
  readonly max: number
  readonly value: number
  readonly onChange: (seconds: number) => void
}

/** A suggested duration, or a number of seconds. */
export function DurationInput({ label, description, choices, zero, min, max, value, onChange }: Props) {
  const [isOwn, setOwn] = useState(!choices.includes(value) && !(value === 0 && zero !== undefined))
  const data = [
    ...(zero === undefined ? [] : [{ value: '0', label: zero }]),
    ...choices.map(seconds => ({ value: String(seconds), label: durationText(seconds) })),
    { value: 'own', label: 'Custom…' },
  ]
  return (
    <Group gap="sm" align="flex-end" wrap="nowrap" maw={420}>
      <Select
        label={label}
        description={description}
        data={data}
        value={isOwn ? 'own' : String(value)}
        allowDeselect={false}
        flex={1}
        onChange={chosen => {
          setOwn(chosen === 'own')
          if (chosen !== null && chosen !== 'own') onChange(Number(chosen))
        }}
      />
      {isOwn ? (
        <NumberField
          aria-label={`${label}, seconds`}
          suffix=" s"
          w={110}
          min={min}
          max={max}
          value={value}
          onChange={onChange}
        />
      ) : null}
    </Group>
  )
}
