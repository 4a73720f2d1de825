import { Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { useMay } from '../../api/permissions.ts'
import type { Zone } from '../../api/types.ts'
import { ConfirmDialog } from '../../ui/controls/confirm-dialog.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { useChange } from '../../ui/controls/use-change.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { TrashIcon } from '../../ui/display/icons.tsx'
import { BodyLimitChoice } from './body-limit-choice.tsx'
import { OriginDialog } from './origin-dialog.tsx'
import { clientChecks, SettingSwitch } from './setting-switch.tsx'

export function ZoneSettings({ zone }: { readonly zone: Zone }) {
  const [dialog, setDialog] = useState<'origin' | 'delete'>()
  return (
    <Stack gap="md">
      <Row label="Origin" value={<span className="mono wrap">{zone.origin.url ?? 'none'}</span>}>
        <Permitted needs="zone write">
          {barred => (
            <Button variant="default" size="xs" onClick={() => setDialog('origin')} {...barred}>
              Edit
            </Button>
          )}
        </Permitted>
      </Row>
      <Row label="Zone ID" value={<span className="mono wrap">{zone.id}</span>}>
        <CopyButton text={zone.id} what="zone ID" />
      </Row>
      <Row label="Account ID" value={<span className="mono wrap">{zone.account.id}</span>}>
        <CopyButton text={zone.account.id} what="account ID" />
      </Row>
      <PauseSwitch zone={zone} />
      {clientChecks.map(setting => (
        <SettingSwitch key={setting.id} zoneId={zone.id} setting={setting} />
      ))}
      <BodyLimitChoice zoneId={zone.id} />
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
              Delete zone
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
    done: ({ name, paused }) => (paused ? `${name} paused` : `${name} active`),
    failed: 'Failed to change zone',
    changes: ['GET /zones', 'GET /zones/{zone_id}'],
  })
  return (
    <Switch
      label="Paused"
      description={reason ?? 'While paused, requests reach the origin without any rules.'}
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
    done: `${zone.name} deleted`,
    failed: 'Failed to delete zone',
    changes: ['GET /zones'],
    onDone: () => void navigate({ to: '/' }),
  })
  return (
    <ConfirmDialog
      opened={opened}
      title={`Delete ${zone.name}?`}
      action="Delete zone"
      danger
      pending={remove.isPending}
      onConfirm={() => remove.mutate(input)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          This deletes its rulesets with all versions and its Logpush jobs. The edge then responds to its
          requests with 404. This cannot be undone.
        </Text>
        <ApiCall call={describeCall('DELETE /zones/{zone_id}', input)} />
      </Stack>
    </ConfirmDialog>
  )
}
