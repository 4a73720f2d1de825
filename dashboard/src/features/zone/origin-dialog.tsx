import { Button, Group, Modal, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import type { Zone } from '../../api/types.ts'
import { OriginField, originUrl } from '../../domain/zone/origin-field.tsx'
import { useChange } from '../../ui/controls/use-change.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { FailureState } from '../../ui/page/states.tsx'

interface Props {
  readonly zone: Zone
  readonly opened: boolean
  onClose(): void
}

export function OriginDialog({ zone, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Origin of ${zone.name}`}>
      <OriginForm zone={zone} onClose={onClose} />
    </Modal>
  )
}

function OriginForm({ zone, onClose }: Omit<Props, 'opened'>) {
  const [origin, setOrigin] = useState(zone.origin.url ?? '')
  const change = useChange('PATCH /zones/{zone_id}', {
    done: 'Origin saved',
    failed: 'Failed to change origin',
    changes: ['GET /zones', 'GET /zones/{zone_id}'],
    quietFailure: true,
    onDone: onClose,
  })
  const input = { path: { zone_id: zone.id }, body: { origin: { url: originUrl(origin) } } }
  const fault = change.error instanceof ApiFailure ? change.error.byPointer().get('/origin/url') : undefined
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!change.isPending) change.mutate(input)
  }
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <OriginField
          value={origin}
          onChange={value => {
            setOrigin(value)
            change.reset()
          }}
          host={zone.name}
          fault={fault}
        />
        {change.isError && fault === undefined ? (
          <FailureState title="Failed to change origin" error={change.error} />
        ) : null}
        <ApiCall call={describeCall('PATCH /zones/{zone_id}', input)} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={change.isPending}
            disabled={originUrl(origin) === '' || originUrl(origin) === zone.origin.url}
          >
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
