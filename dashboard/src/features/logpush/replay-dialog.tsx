import { Alert, Button, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { describeCall } from '../../api/client.ts'
import type { LogpushJob } from '../../api/types.ts'
import { useChange } from '../../ui/controls/use-change.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { FailureText } from '../../ui/display/failure-text.tsx'
import { useHealth } from './health.ts'
import { at, type LogScope } from './scope.ts'

interface Props {
  readonly scope: LogScope
  readonly job: LogpushJob
  readonly opened: boolean
  onClose(): void
}

/** Delivers past records again. */
export function ReplayDialog({ opened, onClose, job, ...rest }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Replay ${job.name || `job ${job.id}`}`} size="lg">
      {opened ? <ReplayForm job={job} onClose={onClose} {...rest} /> : null}
    </Modal>
  )
}

const key = 'POST /zones/{zone_id}/logpush/jobs/{job_id}/replay'

function ReplayForm({ scope, job, onClose }: Omit<Props, 'opened'>) {
  const [start, setStart] = useState(() => localText(Date.now() - 3_600_000))
  const [end, setEnd] = useState(() => localText(Date.now()))
  const retained = useHealth(scope, job.id).data?.retained_since
  const replay = useChange(at(scope, key), {
    done: 'Replay started',
    failed: '',
    quietFailure: true,
    changes: [at(scope, 'GET /zones/{zone_id}/logpush/jobs/{job_id}/replays')],
    onDone: onClose,
  })
  const fault = faultOf(start, end)
  const input = {
    path: { ...scope.ids, job_id: job.id },
    body: { start: isoOf(start), end: isoOf(end) },
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (fault === undefined) replay.mutate(input)
      }}
    >
      <Stack>
        <Text size="sm">
          Records received in this period are delivered again, in separate objects, alongside new records.
          Destinations without deduplication receive these lines twice.
        </Text>
        <Range start={start} end={end} fault={fault} onStart={setStart} onEnd={setEnd} />
        {retained ? (
          <Retained since={retained} start={start} onTake={() => setStart(localText(Date.parse(retained)))} />
        ) : null}
        {fault === undefined ? <ApiCall call={describeCall(at(scope, key), input)} /> : null}
        {replay.isError ? (
          <Alert color="red" title="Failed to start replay" role="alert">
            <FailureText error={replay.error} />
          </Alert>
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={replay.isPending} disabled={fault !== undefined}>
            Replay
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface RangeProps {
  readonly start: string
  readonly end: string
  readonly fault: string | undefined
  onStart(start: string): void
  onEnd(end: string): void
}

function Range({ start, end, fault, onStart, onEnd }: RangeProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        type="datetime-local"
        step={1}
        label="From"
        value={start}
        onChange={event => onStart(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        type="datetime-local"
        step={1}
        label="Until"
        value={end}
        error={fault}
        onChange={event => onEnd(event.currentTarget.value)}
      />
    </SimpleGrid>
  )
}

interface RetainedProps {
  readonly since: string
  readonly start: string
  onTake(): void
}

/** Start of the retention, with a note when the range begins earlier. */
function Retained({ since, start, onTake }: RetainedProps) {
  const isEarlier = start !== '' && Date.parse(start) < Date.parse(since) - 1000
  return (
    <Group gap="xs">
      <Text size="sm" c={isEarlier ? 'var(--sluice-warn)' : 'dimmed'}>
        Records are retained since {new Date(since).toLocaleString()}
        {isEarlier ? '; older records are no longer available.' : '.'}
      </Text>
      {isEarlier ? (
        <Button size="compact-xs" variant="subtle" onClick={onTake}>
          Start there
        </Button>
      ) : null}
    </Group>
  )
}

function faultOf(start: string, end: string): string | undefined {
  if (start === '' || end === '') return 'Enter both times'
  if (Date.parse(end) <= Date.parse(start)) return 'The end must be after the start'
  return Date.parse(end) > Date.now() + 1000 ? 'The end must not be in the future' : undefined
}

/** In the form of `datetime-local`: local time without a zone. */
function localText(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

function isoOf(local: string): string {
  const ms = Date.parse(local)
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().replace('.000Z', 'Z')
}
