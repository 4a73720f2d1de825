import { Skeleton, Text, Title } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import type { LogpushJob, LogpushReplay } from '../../api/types.ts'
import { type Column, DataTable } from '../../ui/display/data-table.tsx'
import { StatusDot, type Tone } from '../../ui/display/status-dot.tsx'
import { EmptyState, FailureState } from '../../ui/page/states.tsx'
import { countText } from './health.ts'
import { at, type LogScope } from './scope.ts'

interface Props {
  readonly scope: LogScope
  readonly job: LogpushJob
}

/** Replays of a job, newest first; polls running ones often. */
export function Replays({ scope, job }: Props) {
  const key = at(scope, 'GET /zones/{zone_id}/logpush/jobs/{job_id}/replays')
  const path = { ...scope.ids, job_id: job.id }
  const known = useRead(key, { path })
  const isRunning = known.data?.some(({ status }) => status === 'running') ?? false
  const replays = useRead(key, { path }, { everyMs: isRunning ? 1500 : 30_000 })
  if (replays.isError) return <FailureState title="Failed to load replays" error={replays.error} />
  return (
    <section aria-labelledby="replays">
      <Title order={2} id="replays" mb="sm">
        Replays
      </Title>
      <DataTable
        label="Replays"
        columns={columns}
        rows={replays.data ?? []}
        rowKey={replay => String(replay.id)}
        rowHeight={56}
        maxHeight="24rem"
        empty={
          replays.isPending ? (
            <Skeleton h={60} m="md" />
          ) : (
            <EmptyState title="No replays" text="A replay delivers the records of a past period again." />
          )
        }
      />
    </section>
  )
}

const statuses: Readonly<Record<LogpushReplay['status'], { readonly word: string; readonly tone: Tone }>> = {
  running: { word: 'Running', tone: 'warn' },
  completed: { word: 'Completed', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  canceled: { word: 'Cancelled', tone: 'none' },
}

const columns: readonly Column<LogpushReplay>[] = [
  {
    key: 'range',
    title: 'Period',
    width: 'minmax(0, 2fr)',
    render: ({ start, end, retained_since }) => (
      <>
        <div className="cut">
          {new Date(start).toLocaleString()} – {new Date(end).toLocaleString()}
        </div>
        {retained_since === null ? null : (
          <Text size="xs" c="var(--sluice-warn)" className="cut">
            retained since {new Date(retained_since).toLocaleString()}
          </Text>
        )}
      </>
    ),
  },
  {
    key: 'status',
    title: 'State',
    width: 'minmax(100px, 1fr)',
    render: ({ status, error_message }) => (
      <>
        <StatusDot tone={statuses[status].tone}>{statuses[status].word}</StatusDot>
        {error_message === null ? null : (
          <Text size="xs" c="dimmed" className="cut" title={error_message}>
            {error_message}
          </Text>
        )}
      </>
    ),
  },
  {
    key: 'lines',
    title: 'Lines',
    width: '88px',
    align: 'right',
    minWindow: 480,
    render: ({ lines }) => countText(lines),
  },
  {
    key: 'objects',
    title: 'Objects',
    width: '72px',
    align: 'right',
    minWindow: 640,
    render: ({ objects }) => countText(objects),
  },
]
