import { ActionIcon, Menu, Radio, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/permissions.ts'
import type { LogpushJob } from '../../api/types.ts'
import { ConfirmDialog } from '../../ui/controls/confirm-dialog.tsx'
import { useChange } from '../../ui/controls/use-change.ts'
import { useFocusBack } from '../../ui/controls/use-focus-back.ts'
import { PauseIcon, PlayIcon, TrashIcon } from '../../ui/display/icons.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { at, changedByJobs, type LogScope } from './scope.ts'

interface Props {
  readonly scope: LogScope
  readonly job: LogpushJob
}

export function nameOf(job: LogpushJob): string {
  return job.name || `Job ${job.id}`
}

/** Menu: pause or resume, replay, edit and delete. */
export function JobActions({ scope, job }: Props) {
  const [pausing, pause] = useDisclosure()
  const [resuming, resume] = useDisclosure()
  const [replaying, replay] = useDisclosure()
  const [deleting, remove] = useDisclosure()
  const { may, reason } = useMay(scope.write)
  const navigate = useNavigate()
  const { target, focusBack } = useFocusBack()
  const closing = (close: () => void) => () => {
    close()
    focusBack()
  }
  const barred = { disabled: !may, ...(reason === undefined ? {} : { title: reason }) }
  return (
    <>
      {/* Inside the main landmark, and not clipped by the table. */}
      <Menu position="bottom-end" portalProps={{ target: '#content' }} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon ref={target} variant="default" size="lg" aria-label={`Actions of ${nameOf(job)}`}>
            …
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={job.enabled ? <PauseIcon size={16} /> : <PlayIcon size={16} />}
            onClick={job.enabled ? pause.open : resume.open}
            {...barred}
          >
            {job.enabled ? 'Pause' : 'Resume'}
          </Menu.Item>
          {job.enabled && job.error_message !== null ? (
            <RetryItem scope={scope} job={job} barred={barred} />
          ) : null}
          <Menu.Item onClick={replay.open} disabled={!may || !job.enabled} title={reason}>
            Replay{job.enabled ? '…' : ' (resume it first)'}
          </Menu.Item>
          <Menu.Item onClick={() => void navigate({ to: `${scope.path}/${job.id}/edit` })} {...barred}>
            Edit
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            c="var(--sluice-bad)"
            leftSection={<TrashIcon size={16} />}
            onClick={remove.open}
            {...barred}
          >
            Delete…
          </Menu.Item>
          {reason === undefined ? null : <Reason text={reason} />}
        </Menu.Dropdown>
      </Menu>
      <PauseDialog scope={scope} job={job} opened={pausing} onClose={closing(pause.close)} />
      <ResumeDialog scope={scope} job={job} opened={resuming} onClose={closing(resume.close)} />
      <ReplayDialog scope={scope} job={job} opened={replaying} onClose={closing(replay.close)} />
      <DeleteDialog scope={scope} job={job} opened={deleting} onClose={closing(remove.close)} />
    </>
  )
}

/** Why menu items are disabled. */
function Reason({ text }: { readonly text: string }) {
  return (
    <Menu.Label maw={240} style={{ whiteSpace: 'normal' }}>
      {text}
    </Menu.Label>
  )
}

interface RetryItemProps extends Props {
  readonly barred: { readonly disabled: boolean; readonly title?: string }
}

/** An update makes the job retry at once, regardless of its state. */
function RetryItem({ scope, job, barred }: RetryItemProps) {
  const change = useUpdate(scope, `Retrying ${nameOf(job)}`, `Failed to retry ${nameOf(job)}`, () => {})
  return (
    <Menu.Item
      onClick={() => change.mutate({ path: { ...scope.ids, job_id: job.id }, body: { enabled: true } })}
      {...barred}
    >
      Retry now
    </Menu.Item>
  )
}

interface DialogProps extends Props {
  readonly opened: boolean
  onClose(): void
}

function PauseDialog({ scope, job, opened, onClose }: DialogProps) {
  const change = useUpdate(scope, `${nameOf(job)} paused`, `Failed to pause ${nameOf(job)}`, onClose)
  return (
    <ConfirmDialog
      opened={opened}
      title={`Pause ${nameOf(job)}?`}
      action="Pause"
      pending={change.isPending}
      onConfirm={() => change.mutate({ path: { ...scope.ids, job_id: job.id }, body: { enabled: false } })}
      onClose={onClose}
    >
      <Text size="sm">
        Delivery stops while the job is paused. Records stay in the log for its retention time, so you can
        resume where delivery stopped if they are still retained.
      </Text>
    </ConfirmDialog>
  )
}

function ResumeDialog({ scope, job, opened, onClose }: DialogProps) {
  const change = useUpdate(scope, `${nameOf(job)} resumed`, `Failed to resume ${nameOf(job)}`, onClose)
  const [from, setFrom] = useState('now')
  const stopped = job.last_complete
  const start = from === 'stopped' && stopped !== null ? { start: stopped } : {}
  return (
    <ConfirmDialog
      opened={opened}
      title={`Resume ${nameOf(job)}?`}
      action="Resume"
      pending={change.isPending}
      onConfirm={() =>
        change.mutate({ path: { ...scope.ids, job_id: job.id }, body: { enabled: true, ...start } })
      }
      onClose={onClose}
    >
      <Radio.Group label="Start from" value={from} onChange={setFrom}>
        <Stack gap="xs" mt="xs">
          <Radio value="now" label="new records" />
          <Radio
            value="stopped"
            disabled={stopped === null}
            label={
              stopped === null
                ? 'the last position: nothing delivered yet'
                : `the last position: ${new Date(stopped).toLocaleString()}, if still retained`
            }
          />
        </Stack>
      </Radio.Group>
    </ConfirmDialog>
  )
}

function DeleteDialog({ scope, job, opened, onClose }: DialogProps) {
  const navigate = useNavigate()
  const remove = useChange(at(scope, 'DELETE /zones/{zone_id}/logpush/jobs/{job_id}'), {
    done: `${nameOf(job)} deleted`,
    failed: `Failed to delete ${nameOf(job)}`,
    changes: [at(scope, 'GET /zones/{zone_id}/logpush/jobs')],
    onDone: () => {
      onClose()
      void navigate({ to: scope.path })
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      title={`Delete ${nameOf(job)}?`}
      action="Delete job"
      danger
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ path: { ...scope.ids, job_id: job.id } })}
      onClose={onClose}
    >
      <Text size="sm">
        Delivered objects stay at the destination. The job, its position, replays and health data are deleted
        permanently.
      </Text>
    </ConfirmDialog>
  )
}

function useUpdate(scope: LogScope, done: string, failed: string, onDone: () => void) {
  return useChange(at(scope, 'PUT /zones/{zone_id}/logpush/jobs/{job_id}'), {
    done,
    failed,
    changes: changedByJobs(scope),
    onDone,
  })
}
