import { Button, Group, Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { isPermission } from '../../../api/failure.ts'
import { useRead } from '../../../api/hooks.ts'
import type { StepProps } from './step-props.ts'

type Props = Pick<StepProps, 'scope' | 'dataset' | 'sample' | 'sampleZone' | 'setSampleZone'>

/** Source of the examples: number of records and, for account jobs, the zone. */
export function SampleSource({ scope, dataset, sample, sampleZone, setSampleZone }: Props) {
  if (dataset.name === 'audit_logs')
    return (
      <Text size="sm" c="dimmed">
        Audit logs have no examples.
      </Text>
    )
  return (
    <Group gap="sm" align="center">
      {scope.kind === 'account' ? <ZoneSelect zoneId={sampleZone} onChange={setSampleZone} /> : null}
      <Text size="sm" c="dimmed" role="status">
        {sampleZone === undefined ? 'Select a zone to see examples.' : sampleText(sample)}
      </Text>
      {sampleZone === undefined ? null : (
        <Button size="compact-xs" variant="subtle" loading={sample.isFetching} onClick={sample.refresh}>
          Refresh
        </Button>
      )}
    </Group>
  )
}

function sampleText({ records, isPending, error }: StepProps['sample']): string {
  if (isPending) return 'Loading records …'
  if (error !== null)
    return isPermission(error)
      ? 'Examples need the permission Logs Read on the zone.'
      : `Failed to load examples: ${error.message}.`
  if (records.length === 0) return 'No records yet. Send a request to the zone to see examples.'
  return `Examples from the last ${records.length.toLocaleString()} records.`
}

function ZoneSelect({
  zoneId,
  onChange,
}: {
  readonly zoneId: string | undefined
  onChange(zoneId: string): void
}) {
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), 200)
  const zones = useRead(
    'GET /zones',
    { query: { per_page: 50, ...(text === '' ? {} : { name: `contains:${text}` }) } },
    { staleMs: 60_000 },
  )
  const chosen = useRead(
    'GET /zones/{zone_id}',
    { path: { zone_id: zoneId ?? '' } },
    { enabled: zoneId !== undefined },
  )
  const found = (zones.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const isListed = chosen.data === undefined || found.some(({ value }) => value === chosen.data.id)
  const data = isListed ? found : [{ value: chosen.data.id, label: chosen.data.name }, ...found]
  return (
    <Select
      size="xs"
      aria-label="Zone for examples"
      placeholder="Zone for examples"
      data={data}
      value={zoneId ?? null}
      onChange={id => id !== null && onChange(id)}
      searchable
      filter={({ options }) => options}
      onSearchChange={value => setTyped(value === chosen.data?.name ? '' : value)}
      allowDeselect={false}
      nothingFoundMessage="No matching zones"
    />
  )
}
