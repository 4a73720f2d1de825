import { Alert, Button, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import type { LogpushJob } from '../../api/types.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { FailureText } from '../../ui/failure-text.tsx'
import { useHealth } from './health.ts'
import { at, type LogScope } from './scope.ts'

interface Props {
  readonly scope: LogScope
  readonly job: LogpushJob
  readonly opened: boolean
  onClose(): void
}

/** Delivers records of a time that has passed once more. */
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
    done: 'The replay is running',
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
          What was received in this time is delivered once more, in objects of their own, beside what is new.
          Receivers that cannot tell get those lines twice.
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            type="datetime-local"
            step={1}
            label="From"
            value={start}
            onChange={event => setStart(event.currentTarget.value)}
            data-autofocus
          />
          <TextInput
            type="datetime-local"
            step={1}
            label="Until"
            value={end}
            error={fault}
            onChange={event => setEnd(event.currentTarget.value)}
          />
        </SimpleGrid>
        {retained ? (
          <Retained since={retained} start={start} onTake={() => setStart(localText(Date.parse(retained)))} />
        ) : null}
        {fault === undefined ? <ApiCall call={describeCall(at(scope, key), input)} /> : null}
        {replay.isError ? (
          <Alert color="red" title="The replay was not started" role="alert">
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

interface RetainedProps {
  readonly since: string
  readonly start: string
  onTake(): void
}

/** How far back records are kept, and that the range begins earlier. */
function Retained({ since, start, onTake }: RetainedProps) {
  const isEarlier = start !== '' && Date.parse(start) < Date.parse(since) - 1000
  return (
    <Group gap="xs">
      <Text size="sm" c={isEarlier ? 'var(--sluice-warn)' : 'dimmed'}>
        Records are kept since {new Date(since).toLocaleString()}
        {isEarlier ? '; what is older is not there any more.' : '.'}
      </Text>
      {isEarlier ? (
        <Button size="compact-xs" variant="subtle" onClick={onTake}>
          Begin there
        </Button>
      ) : null}
    </Group>
  )
}

function faultOf(start: string, end: string): string | undefined {
  if (start === '' || end === '') return 'Both times are needed'
  if (Date.parse(end) <= Date.parse(start)) return 'The end is not after the beginning'
  return Date.parse(end) > Date.now() + 1000 ? 'The end is in the future' : undefined
}

/** As `datetime-local` wants it: local time without a zone. */
function localText(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

function isoOf(local: string): string {
  const ms = Date.parse(local)
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().replace('.000Z', 'Z')
}
