import { Radio, Stack } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/permissions.ts'
import { useChange } from '../../ui/controls/use-change.ts'

const settingId = 'waf_body_limit_action'

const choices = [
  {
    value: 'reject',
    label: 'Refuse with 413 (safe)',
    text: 'Only fully inspected bodies reach the origin.',
  },
  {
    value: 'process_partial',
    label: 'Allow',
    text: 'Only the first 1 MiB is inspected; the log sets bit 0x2 of WAFFlags.',
  },
] as const

/** Action on request bodies above the inspection limit. */
export function BodyLimitChoice({ zoneId }: { readonly zoneId: string }) {
  const reading = useMay('zoneSettings read')
  const writing = useMay('zoneSettings write')
  const path = { zone_id: zoneId, setting_id: settingId }
  const setting = useRead('GET /zones/{zone_id}/settings/{setting_id}', { path }, { enabled: reading.may })
  const change = useChange('PATCH /zones/{zone_id}/settings/{setting_id}', {
    done: 'Setting saved',
    failed: 'Failed to change setting',
    changes: ['GET /zones/{zone_id}/settings/{setting_id}'],
  })
  const chosen = change.isPending ? change.variables.body?.value : setting.data?.value
  const disabled = !writing.may || setting.data === undefined || change.isPending
  return (
    <Radio.Group
      label="Request bodies over 1 MiB"
      description={reading.reason ?? writing.reason}
      value={typeof chosen === 'string' ? chosen : null}
      onChange={value => change.mutate({ path, body: { value } })}
    >
      <Stack gap="xs" mt="xs">
        {choices.map(({ value, label, text }) => (
          <Radio key={value} value={value} label={label} description={text} disabled={disabled} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
