import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { useMay } from '../../api/permissions.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { CheckIcon, CopyIcon, PauseIcon, PlayIcon } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { TryCommands } from '../../ui/try-commands.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { useZone } from '../../ui/use-zone.ts'
import { ColumnMenu } from './column-menu.tsx'
import { liveColumns, liveFields, standardColumns, tableColumns } from './columns.ts'
import { FilterBar } from './filter-bar.tsx'
import { keptMax, type Line } from './line-buffer.ts'
import { LineDetails } from './line-details.tsx'
import { StreamDot, StreamTrouble } from './stream-status.tsx'
import { useLiveLines } from './use-live-lines.ts'

const samples = [1, 10, 100, 1000] as const

/** Requests of the zone as they come. */
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
  const call = describeCall('POST /zones/{zone_id}/logpush/edge/jobs', {
    path: { zone_id: zone.id },
    body: { fields: liveFields, filter, sample, kind: 'instant-logs' },
  })
  return (
    <>
      <PageHeader
        title="Live"
        text={`Requests to ${zone.name} as they come. Nothing of it is kept; the newest ${keptMax.toLocaleString()} lines are shown.`}
        actions={
          <>
            <Button
              variant={paused ? 'filled' : 'default'}
              leftSection={paused ? <PlayIcon size={16} /> : <PauseIcon size={16} />}
              onClick={() => setPaused(!paused)}
              disabled={!may}
            >
              {paused ? 'Resume' : 'Pause'}
            </Button>
            <ColumnMenu chosen={chosen} onChange={fields => setColumns(fields.join(','))} />
            <CopyLines lines={live.lines} />
          </>
        }
      />
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Group gap="sm">
            <FilterBar filter={filter} onChange={setFilter} />
            <NativeSelect
              size="xs"
              aria-label="Sample"
              data={samples.map(one => ({
                value: String(one),
                label: one === 1 ? 'Every request' : `1 in ${one.toLocaleString()} requests`,
              }))}
              value={String(sample)}
              onChange={event => setSample(event.currentTarget.value)}
            />
          </Group>
          <Group gap="md">
            <Text size="sm" c="dimmed" component="span">
              {live.total.toLocaleString()} lines
              {live.waiting > 0 ? `, ${live.waiting.toLocaleString()} since the pause` : ''}
            </Text>
            <Text size="sm" component="span" role="status">
              <StreamDot state={live.state} paused={paused || opened !== undefined} />
            </Text>
          </Group>
        </Group>
        {may ? (
          <StreamTrouble state={live.state} onTakeOver={live.takeOver} onJoin={live.join} />
        ) : (
          <EmptyState title="This token may not look at logs" text={reason} />
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
        <ApiCall call={call} />
      </Stack>
      <LineDetails line={opened} onClose={() => setOpened(undefined)} />
    </>
  )
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
    return (
      <EmptyState
        title="No request so far that the filter keeps"
        text="Remove the filter to see all of them."
      />
    )
  return (
    <EmptyState
      title="No request since this page was opened"
      text="They appear here a moment after they are answered. To see one:"
      action={
        <div style={{ width: '100%', maxWidth: 640 }}>
          <TryCommands zoneName={zoneName} />
        </div>
      }
    />
  )
}
