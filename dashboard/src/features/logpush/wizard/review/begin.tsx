import { Group, Radio, Stack, Switch, TextInput } from '@mantine/core'
import { localText } from '../../../../ui/display/local-time.ts'
import type { StepProps } from '../step-props.ts'

interface Props extends Pick<StepProps, 'draft' | 'change'> {
  /** True when this call starts delivery. */
  readonly begins: boolean
  readonly past: boolean
  readonly fault: string | undefined
  onPast(past: boolean): void
}

/** Start of delivery: now or later, from new or past records. */
export function Begin({ draft, change, begins, past, fault, onPast }: Props) {
  return (
    <Stack gap="xs">
      <Switch
        label="Enabled"
        description="A disabled job delivers nothing until you resume it."
        checked={draft.enabled}
        onChange={event => change({ enabled: event.currentTarget.checked })}
      />
      {begins ? (
        <Start
          past={past}
          start={draft.start}
          fault={fault}
          onPast={wanted => {
            onPast(wanted)
            change({ start: wanted ? localText(Date.now() - hourMs) : '' })
          }}
          onChange={start => change({ start })}
        />
      ) : null}
    </Stack>
  )
}

const hourMs = 3_600_000

interface StartProps {
  readonly past: boolean
  readonly start: string
  readonly fault: string | undefined
  onPast(past: boolean): void
  onChange(start: string): void
}

function Start({ past, start, fault, onPast, onChange }: StartProps) {
  return (
    <Radio.Group
      label="Start from"
      value={past ? 'past' : 'now'}
      onChange={value => onPast(value === 'past')}
    >
      <Group mt="xs" gap="lg">
        <Radio value="now" label="new records" />
        <Radio value="past" label="past records" />
        {past ? (
          <TextInput
            type="datetime-local"
            aria-label="From"
            value={start}
            error={fault}
            onChange={event => onChange(event.currentTarget.value)}
          />
        ) : null}
      </Group>
    </Radio.Group>
  )
}
