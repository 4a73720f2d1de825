import { ActionIcon, Menu, Radio, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import { useMay } from '../../api/permissions.ts'
import type { LogpushJob } from '../../api/types.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { PauseIcon, PlayIcon, TrashIcon } from '../../ui/icons.tsx'
import { useFocusBack } from '../../ui/use-focus-back.ts'
import { ReplayDialog } from './replay-dialog.tsx'
import { at, changedByJobs, type LogScope } from './scope.ts'

interface Props {
  readonly scope: LogScope
  readonly job: LogpushJob
}

export function nameOf(job: LogpushJob): string {
  return job.name || `Job ${job.id}`
}

/** Pause or resume, replay, edit and delete. */
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
      {/* Inside the landmark of the content, and not cut off by the table. */}
      <Menu position="bottom-end" portalProps={{ target: '#content' }} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon ref={target} variant="default" size="lg" aria-label={`Actions of ${nameOf(job)}`}>
            …
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {job.enabled ? (
            <Menu.Item leftSection={<PauseIcon size={16} />} onClick={pause.open} {...barred}>
              Pause
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<PlayIcon size={16} />} onClick={resume.open} {...barred}>
              Resume
            </Menu.Item>
          )}
          {job.enabled && job.error_message !== null ? (
            <TryAgain scope={scope} job={job} barred={barred} />
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
          {reason === undefined ? null : (
            <Menu.Label maw={240} style={{ whiteSpace: 'normal' }}>
              {reason}
            </Menu.Label>
          )}
        </Menu.Dropdown>
      </Menu>
      <PauseDialog scope={scope} job={job} opened={pausing} onClose={closing(pause.close)} />
      <ResumeDialog scope={scope} job={job} opened={resuming} onClose={closing(resume.close)} />
      <ReplayDialog scope={scope} job={job} opened={replaying} onClose={closing(replay.close)} />
      <DeleteDialog scope={scope} job={job} opened={deleting} onClose={closing(remove.close)} />
    </>
  )
}

interface TryAgainProps extends Props {
  readonly barred: { readonly disabled: boolean; readonly title?: string }
}

/** A job that is written is tried at once, whatever it waits for. */
function TryAgain({ scope, job, barred }: TryAgainProps) {
  const change = useUpdate(
    scope,
    `${nameOf(job)} is tried again`,
    `${nameOf(job)} was not tried again`,
    () => {},
  )
  return (
    <Menu.Item
      onClick={() => change.mutate({ path: { ...scope.ids, job_id: job.id }, body: { enabled: true } })}
      {...barred}
    >
      Try again now
    </Menu.Item>
  )
}

interface DialogProps extends Props {
  readonly opened: boolean
  onClose(): void
}

function PauseDialog({ scope, job, opened, onClose }: DialogProps) {
  const change = useUpdate(scope, `${nameOf(job)} is paused`, `${nameOf(job)} was not paused`, onClose)
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
        Nothing is delivered while it is paused. Records stay in the log for its retention, and when you
        resume you can begin where it stopped, as far as they are still kept.
      </Text>
    </ConfirmDialog>
  )
}

function ResumeDialog({ scope, job, opened, onClose }: DialogProps) {
  const change = useUpdate(scope, `${nameOf(job)} delivers again`, `${nameOf(job)} was not resumed`, onClose)
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
      <Radio.Group label="Begin with" value={from} onChange={setFrom}>
        <Stack gap="xs" mt="xs">
          <Radio value="now" label="records to come" />
          <Radio
            value="stopped"
            disabled={stopped === null}
            label={
              stopped === null
                ? 'where it stopped: it has delivered nothing yet'
                : `where it stopped: ${new Date(stopped).toLocaleString()}, as far as records are kept`
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
    done: `${nameOf(job)} is deleted`,
    failed: `${nameOf(job)} was not deleted`,
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
      action="Delete the job"
      danger
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ path: { ...scope.ids, job_id: job.id } })}
      onClose={onClose}
    >
      <Text size="sm">
        What was delivered stays where it is. The job, its place in the log, its replays and its health are
        gone for good.
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
