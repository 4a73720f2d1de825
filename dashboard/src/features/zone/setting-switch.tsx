import { Switch } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/permissions.ts'
import { useChange } from '../../ui/controls/use-change.ts'

interface SwitchedSetting {
  readonly id: string
  readonly on: string
  readonly off: string
  readonly label: string
  readonly text: string
}

/** Checks that refuse or challenge clients before rate limits. */
export const clientChecks: readonly SwitchedSetting[] = [
  {
    id: 'security_level',
    on: 'under_attack',
    off: 'medium',
    label: 'Under Attack mode',
    text: 'Every client without a clearance gets a managed challenge.',
  },
  {
    id: 'browser_check',
    on: 'on',
    off: 'off',
    label: 'Browser Integrity Check',
    text: 'Blocks known attack tools by User-Agent and challenges requests without one.',
  },
  {
    id: 'hotlink_protection',
    on: 'on',
    off: 'off',
    label: 'Hotlink Protection',
    text: 'Blocks image requests from pages on other sites.',
  },
]

export function SettingSwitch({
  zoneId,
  setting,
}: {
  readonly zoneId: string
  readonly setting: SwitchedSetting
}) {
  const { id, on, off, label, text } = setting
  const reading = useMay('zoneSettings read')
  const writing = useMay('zoneSettings write')
  const path = { zone_id: zoneId, setting_id: id }
  const stored = useRead('GET /zones/{zone_id}/settings/{setting_id}', { path }, { enabled: reading.may })
  const change = useChange('PATCH /zones/{zone_id}/settings/{setting_id}', {
    done: 'Setting saved',
    failed: 'Failed to change setting',
    changes: ['GET /zones/{zone_id}/settings/{setting_id}'],
  })
  const value = change.isPending ? change.variables.body?.value : stored.data?.value
  return (
    <Switch
      label={label}
      description={reading.reason ?? writing.reason ?? text}
      checked={value === on}
      disabled={!writing.may || stored.data === undefined || change.isPending}
      onChange={event => change.mutate({ path, body: { value: event.currentTarget.checked ? on : off } })}
    />
  )
}
