import { Button, Group, Modal, NumberInput, Stack } from '@mantine/core'
import { useState } from 'react'

interface Props extends Omit<FormProps, 'position'> {
  /** The rule to move; undefined when closed. */
  readonly asked: { readonly name: string; readonly position: number } | undefined
}

/** Moves a rule to a position in one step, for long lists. */
export function MoveDialog({ asked, ...form }: Props) {
  return (
    <Modal opened={asked !== undefined} onClose={form.onClose} title={asked && `Move ${asked.name}`}>
      {asked === undefined ? null : <MoveForm position={asked.position} {...form} />}
    </Modal>
  )
}

interface FormProps {
  /** From 1. */
  readonly position: number
  readonly count: number
  readonly onMove: (position: number) => void
  readonly onClose: () => void
}

function MoveForm({ position, count, onMove, onClose }: FormProps) {
  const [value, setValue] = useState<number | string>(position)
  const fits = typeof value === 'number' && value >= 1 && value <= count
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (fits) onMove(value)
      }}
    >
      <Stack>
        <NumberInput
          label="Position"
          description={`1 runs first, ${count} last.`}
          min={1}
          max={count}
          allowDecimal={false}
          value={value}
          onChange={setValue}
          error={fits ? undefined : `Enter a number from 1 to ${count}`}
          selectAllOnFocus
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!fits}>
            Move
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
