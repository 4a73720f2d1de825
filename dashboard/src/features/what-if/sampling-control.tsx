import { Alert, Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { useChange } from '../../ui/controls/use-change.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { FailureText } from '../../ui/display/failure-text.tsx'
import { percentText } from './figures.ts'

const operation = 'PUT /zones/{zone_id}/security/what_if/sampling'

interface Props {
  readonly zoneId: string
  /** 0–1. */
  readonly rate: number
  /** Overrides the default label. */
  readonly label?: string
}

/** The sample rate, and a form to change it. */
export function SamplingControl({ zoneId, rate, label }: Props) {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Permitted needs="zoneWaf write">
        {barred => (
          <Button variant="default" onClick={() => setOpened(true)} {...barred}>
            {label ?? `Sampling: ${rate === 0 ? 'disabled' : percentText(rate)}`}
          </Button>
        )}
      </Permitted>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Sample rate">
        <SamplingForm zoneId={zoneId} rate={rate} onDone={() => setOpened(false)} />
      </Modal>
    </>
  )
}

interface FormProps extends Omit<Props, 'label'> {
  onDone(): void
}

function SamplingForm({ zoneId, rate, onDone }: FormProps) {
  const [percent, setPercent] = useState<number | string>(Number((rate * 100).toFixed(4)))
  const change = useChange(operation, {
    done: ({ sample_rate }) =>
      sample_rate === 0 ? 'Sampling disabled' : `Sample rate set to ${percentText(sample_rate)}`,
    failed: 'Failed to change sample rate',
    changes: ['GET /zones/{zone_id}/security/what_if', 'GET /zones/{zone_id}/security/what_if/sampling'],
    onDone,
    quietFailure: true,
  })
  const fault = typeof percent === 'number' ? undefined : 'Enter a number from 0 to 100'
  const input = {
    path: { zone_id: zoneId },
    body: { sample_rate: Number(((typeof percent === 'number' ? percent : 0) / 100).toFixed(6)) },
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (fault === undefined) change.mutate(input)
      }}
    >
      <Stack gap="sm">
        <ShareInput percent={percent} fault={fault} onChange={setPercent} />
        {change.isError ? (
          <Alert color="red" role="alert" title="Failed to change sample rate">
            <FailureText error={change.error} />
          </Alert>
        ) : null}
        <ApiCall call={describeCall(operation, input)} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending} disabled={fault !== undefined}>
            Save
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          Applies to all edges within a second.
        </Text>
      </Stack>
    </form>
  )
}

interface ShareProps {
  readonly percent: number | string
  readonly fault: string | undefined
  onChange(percent: number | string): void
}

function ShareInput({ percent, fault, onChange }: ShareProps) {
  return (
    <NumberInput
      label="Share of requests"
      description="0 disables sampling. If the zone does not run all levels, samples are evaluated again after the response, with at most 2 % of a worker’s CPU time."
      suffix=" %"
      min={0}
      max={100}
      decimalScale={4}
      clampBehavior="strict"
      value={percent}
      onChange={onChange}
      selectAllOnFocus
      data-autofocus
      {...(fault === undefined ? {} : { error: fault })}
    />
  )
}
