import { Button, Group, Modal, NumberInput, Stack } from '@mantine/core'
import { useState } from 'react'

interface Props extends Omit<FormProps, 'place'> {
  /** The rule that is asked about; undefined when none is. */
  readonly asked: { readonly name: string; readonly place: number } | undefined
}

/** For long lists: to a place in one step. */
export function PlaceDialog({ asked, ...form }: Props) {
  return (
    <Modal opened={asked !== undefined} onClose={form.onClose} title={asked && `Move ${asked.name}`}>
      {asked === undefined ? null : <PlaceForm place={asked.place} {...form} />}
    </Modal>
  )
}

interface FormProps {
  /** From 1. */
  readonly place: number
  readonly count: number
  readonly onMove: (place: number) => void
  readonly onClose: () => void
}

function PlaceForm({ place, count, onMove, onClose }: FormProps) {
  const [value, setValue] = useState<number | string>(place)
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
          label="To place"
          description={`1 is asked first, ${count} last.`}
          min={1}
          max={count}
          allowDecimal={false}
          value={value}
          onChange={setValue}
          error={fits ? undefined : `A number from 1 to ${count}`}
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
