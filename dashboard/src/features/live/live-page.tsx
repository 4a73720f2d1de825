import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { useMay } from '../../api/permissions.ts'
import { TryCommands } from '../../domain/zone/try-commands.tsx'
import { useZone } from '../../domain/zone/use-zone.ts'
import { useUrlState } from '../../ui/address/use-url-state.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { DataTable } from '../../ui/display/data-table.tsx'
import { CheckIcon, CopyIcon, PauseIcon, PlayIcon } from '../../ui/display/icons.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { ColumnMenu } from './column-menu.tsx'
import { liveColumns, liveFields, standardColumns, tableColumns } from './columns.ts'
import { FilterBar } from './filter-bar.tsx'
import { keptMax, type Line } from './line-buffer.ts'
import { LineDetails } from './line-details.tsx'
import { StreamDot, StreamTrouble } from './stream-status.tsx'
import { useLiveLines } from './use-live-lines.ts'

const samples = [1, 10, 100, 1000] as const

/** Requests of the zone in real time. */
export default function LivePage() {
  const zone = useZone()
  const [filter, setFilter] = useUrlState('filter')
  const [sampleText, setSample] = useUrlState('sample', '1')
  const [columnText, setColumns] = useUrlState('columns', standardColumns.join(','))
  const [paused, setPaused] = useState(false)
  const [opened, setOpened] = useState<Line>()
  const { may, reason } = useMay('zoneLogs read')
  const sample = samples.find(one => String(one) === sampleText) ?? 1
  const live = useLiveLines(zone.id, { filter, sample }, paused || opened !== undefined, may)
  const chosen = useMemo(() => columnText.split(',').filter(isColumn), [columnText])
  const columns = useMemo(() => tableColumns(chosen), [chosen])
  return (
    <>
      <PageHeader
        title="Instant Logs"
        text={`Requests to ${zone.name} in real time. Nothing is stored; the page shows the newest ${keptMax.toLocaleString()} lines.`}
        actions={
          <>
            <PauseButton paused={paused} disabled={!may} onToggle={() => setPaused(!paused)} />
            <ColumnMenu chosen={chosen} onChange={fields => setColumns(fields.join(','))} />
            <CopyLines lines={live.lines} />
          </>
        }
      />
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Group gap="sm">
            <FilterBar filter={filter} onChange={setFilter} />
            <SampleSelect value={sample} onChange={setSample} />
          </Group>
          <Group gap="md">
            <Counts total={live.total} waiting={live.waiting} />
            <Text size="sm" component="span" role="status">
              <StreamDot state={live.state} paused={paused || opened !== undefined} />
            </Text>
          </Group>
        </Group>
        {may ? (
          <StreamTrouble state={live.state} onTakeOver={live.takeOver} onJoin={live.join} />
        ) : (
          <EmptyState title="No permission to view logs" text={reason} />
        )}
        <DataTable
          label="Log lines, newest first"
          columns={columns}
          rows={live.lines}
          rowKey={line => String(line.number)}
          rowHeight={36}
          maxHeight="max(20rem, calc(100vh - 17rem))"
          onOpen={setOpened}
          empty={may ? <Waiting zoneName={zone.name} filtered={filter !== ''} /> : null}
        />
        <ApiCall call={sessionCall(zone.id, filter, sample)} />
      </Stack>
      <LineDetails line={opened} onClose={() => setOpened(undefined)} />
    </>
  )
}

interface PauseProps {
  readonly paused: boolean
  readonly disabled: boolean
  readonly onToggle: () => void
}

function PauseButton({ paused, disabled, onToggle }: PauseProps) {
  return (
    <Button
      variant={paused ? 'filled' : 'default'}
      leftSection={paused ? <PlayIcon size={16} /> : <PauseIcon size={16} />}
      onClick={onToggle}
      disabled={disabled}
    >
      {paused ? 'Resume' : 'Pause'}
    </Button>
  )
}

interface SampleProps {
  readonly value: (typeof samples)[number]
  readonly onChange: (sample: string) => void
}

function SampleSelect({ value, onChange }: SampleProps) {
  return (
    <NativeSelect
      size="xs"
      aria-label="Sample"
      data={samples.map(one => ({
        value: String(one),
        label: one === 1 ? 'Every request' : `1 in ${one.toLocaleString()} requests`,
      }))}
      value={String(value)}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

function Counts({ total, waiting }: { readonly total: number; readonly waiting: number }) {
  return (
    <Text size="sm" c="dimmed" component="span">
      {total.toLocaleString()} lines
      {waiting > 0 ? `, ${waiting.toLocaleString()} since the pause` : ''}
    </Text>
  )
}

function sessionCall(zoneId: string, filter: string, sample: (typeof samples)[number]) {
  return describeCall('POST /zones/{zone_id}/logpush/edge/jobs', {
    path: { zone_id: zoneId },
    body: { fields: liveFields, filter, sample, kind: 'instant-logs' },
  })
}

function isColumn(field: string): boolean {
  return liveColumns.some(column => column.field === field)
}

function CopyLines({ lines }: { readonly lines: readonly Line[] }) {
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <Button
      variant="default"
      leftSection={clipboard.copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
      disabled={lines.length === 0}
      onClick={() => clipboard.copy(lines.map(line => JSON.stringify(line.values)).join('\n'))}
    >
      {clipboard.copied ? `${lines.length.toLocaleString()} copied` : 'Copy as JSON'}
    </Button>
  )
}

function Waiting({ zoneName, filtered }: { readonly zoneName: string; readonly filtered: boolean }) {
  if (filtered)
    return <EmptyState title="No matching requests yet" text="Remove the filter to see all requests." />
  return (
    <EmptyState
      title="Waiting for requests"
      text="Requests appear here shortly after the response. To send one:"
      action={
        <div style={{ width: '100%', maxWidth: 640 }}>
          <TryCommands zoneName={zoneName} />
        </div>
      }
    />
  )
}
