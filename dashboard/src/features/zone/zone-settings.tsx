import { Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { useMay } from '../../api/permissions.ts'
import type { Zone } from '../../api/types.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TrashIcon } from '../../ui/icons.tsx'
import { Permitted } from '../../ui/permitted.tsx'
import { OriginDialog } from './origin-dialog.tsx'

export function ZoneSettings({ zone }: { readonly zone: Zone }) {
  const [dialog, setDialog] = useState<'origin' | 'delete'>()
  return (
    <Stack gap="md">
      <Row label="Origin" value={<span className="mono wrap">{zone.origin.url}</span>}>
        <Permitted needs="zone write">
          {barred => (
            <Button variant="default" size="xs" onClick={() => setDialog('origin')} {...barred}>
              Change
            </Button>
          )}
        </Permitted>
      </Row>
      <Row label="Zone ID" value={<span className="mono wrap">{zone.id}</span>}>
        <CopyButton text={zone.id} what="the zone ID" />
      </Row>
      <Row label="Account ID" value={<span className="mono wrap">{zone.account.id}</span>}>
        <CopyButton text={zone.account.id} what="the account ID" />
      </Row>
      <PauseSwitch zone={zone} />
      <div>
        <Permitted needs="zone write">
          {barred => (
            <Button
              variant="default"
              c={barred['aria-disabled'] ? 'dimmed' : 'var(--sluice-bad)'}
              leftSection={<TrashIcon size={16} />}
              onClick={() => setDialog('delete')}
              {...barred}
            >
              Delete the zone
            </Button>
          )}
        </Permitted>
      </div>
      <OriginDialog zone={zone} opened={dialog === 'origin'} onClose={() => setDialog(undefined)} />
      <DeleteDialog zone={zone} opened={dialog === 'delete'} onClose={() => setDialog(undefined)} />
    </Stack>
  )
}

interface RowProps {
  readonly label: string
  readonly value: ReactNode
  readonly children: ReactNode
}

function Row({ label, value, children }: RowProps) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <div>
        <Text size="xs" fw={600} c="dimmed">
          {label}
        </Text>
        <Text size="sm">{value}</Text>
      </div>
      {children}
    </Group>
  )
}

function PauseSwitch({ zone }: { readonly zone: Zone }) {
  const { may, reason } = useMay('zone write')
  const change = useChange('PATCH /zones/{zone_id}', {
    done: ({ name, paused }) => (paused ? `${name} is paused` : `${name} is active`),
    failed: 'The zone was not changed',
    changes: ['GET /zones', 'GET /zones/{zone_id}'],
  })
  return (
    <Switch
      label="Paused"
      description={reason ?? 'While it is paused, the edge answers requests to it with 404.'}
      checked={change.isPending ? (change.variables.body?.paused ?? zone.paused) : zone.paused}
      disabled={!may || change.isPending}
      onChange={event =>
        change.mutate({ path: { zone_id: zone.id }, body: { paused: event.currentTarget.checked } })
      }
    />
  )
}

interface DialogProps {
  readonly zone: Zone
  readonly opened: boolean
  onClose(): void
}

function DeleteDialog({ zone, opened, onClose }: DialogProps) {
  const navigate = useNavigate()
  const input = { path: { zone_id: zone.id } }
  const remove = useChange('DELETE /zones/{zone_id}', {
    done: `${zone.name} is deleted`,
    failed: 'The zone was not deleted',
    changes: ['GET /zones'],
    onDone: () => void navigate({ to: '/' }),
  })
  return (
    <ConfirmDialog
      opened={opened}
      title={`Delete ${zone.name}?`}
      action="Delete the zone"
      danger
      pending={remove.isPending}
      onConfirm={() => remove.mutate(input)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          Its rulesets with their versions and its log push jobs go with it, and the edge answers requests to
          it with 404. This cannot be undone.
        </Text>
        <ApiCall call={describeCall('DELETE /zones/{zone_id}', input)} />
      </Stack>
    </ConfirmDialog>
  )
}
