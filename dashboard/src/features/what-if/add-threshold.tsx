import { Button, Group, NumberInput } from '@mantine/core'
import { useState } from 'react'

interface Props {
  readonly known: readonly number[]
  readonly isFull: boolean
  onAdd(threshold: number): void
}

/** Adds a column to the matrix. */
export function AddThreshold({ known, isFull, onAdd }: Props) {
  const [value, setValue] = useState<number | string>('')
  const isNew = typeof value === 'number' && value >= 1 && !known.includes(value)
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (!isNew || isFull) return
        onAdd(value)
        setValue('')
      }}
    >
      <Group gap="xs" align="flex-end">
        <NumberInput
          label="Custom threshold"
          w={140}
          min={1}
          max={100_000}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          value={value}
          onChange={setValue}
        />
        <Button type="submit" variant="default" disabled={!isNew || isFull}>
          Add
        </Button>
      </Group>
    </form>
  )
}
