import { Button, Group, Modal, NumberInput, Stack } from '@mantine/core'
import { useState } from 'react'

interface Props {
  readonly name: string
  /** From 1. */
  readonly place: number
  readonly count: number
  readonly onMove: (place: number) => void
  readonly onClose: () => void
}

/** For long lists: to a place in one step. */
export function PlaceDialog({ name, place, count, onMove, onClose }: Props) {
  const [value, setValue] = useState<number | string>(place)
  const fits = typeof value === 'number' && value >= 1 && value <= count
  return (
    <Modal opened onClose={onClose} title={`Move ${name}`}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (fits) onMove(value)
        }}
      >
        <Stack>
          <NumberInput
            label="To place"
            description={`1 is asked first, ${count} last.`}
            min={1}
            max={count}
            allowDecimal={false}
            value={value}
            onChange={setValue}
            error={fits ? undefined : `A number from 1 to ${count}`}
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
    </Modal>
  )
}
