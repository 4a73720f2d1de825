import { Alert, Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { FailureText } from '../../ui/failure-text.tsx'
import { Permitted } from '../../ui/permitted.tsx'
import { percentText } from './figures.ts'

const operation = 'PUT /zones/{zone_id}/security/what_if/sampling'

interface Props {
  readonly zoneId: string
  /** 0–1. */
  readonly rate: number
  /** In place of what is set. */
  readonly label?: string
}

/** Which share of the requests is sampled, and the form that changes it. */
export function SamplingControl({ zoneId, rate, label }: Props) {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Permitted needs="zoneWaf write">
        {barred => (
          <Button variant="default" onClick={() => setOpened(true)} {...barred}>
            {label ?? `Sampling: ${rate === 0 ? 'off' : percentText(rate)}`}
          </Button>
        )}
      </Permitted>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Which share of the requests is sampled?">
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
      sample_rate === 0
        ? 'Sampling is off: no new samples are taken.'
        : `${percentText(sample_rate)} of the requests are sampled from now on.`,
    failed: 'The sampling was not changed',
    changes: ['GET /zones/{zone_id}/security/what_if', 'GET /zones/{zone_id}/security/what_if/sampling'],
    onDone,
    quietFailure: true,
  })
  const fault = typeof percent === 'number' ? undefined : 'Give a number from 0 to 100'
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
        <NumberInput
          label="Share of the requests"
          description="0 is off. Where the zone does not run every level anyway, a sample is evaluated once more after its answer has gone out; at most 2 % of a worker’s processor time go into that."
          suffix=" %"
          min={0}
          max={100}
          decimalScale={4}
          clampBehavior="strict"
          value={percent}
          onChange={setPercent}
          selectAllOnFocus
          data-autofocus
          {...(fault === undefined ? {} : { error: fault })}
        />
        {change.isError ? (
          <Alert color="red" role="alert" title="The sampling was not changed">
            <FailureText error={change.error} />
          </Alert>
        ) : null}
        <ApiCall call={describeCall(operation, input)} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending} disabled={fault !== undefined}>
            Set
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          Every edge follows within a second.
        </Text>
      </Stack>
    </form>
  )
}
