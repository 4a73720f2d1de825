import { Skeleton, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { LogpushHealth, LogpushJob } from '../../api/types.ts'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { Tooltip } from '../../ui/controls/tooltip.tsx'
import { type Column, DataTable } from '../../ui/display/data-table.tsx'
import { PlusIcon } from '../../ui/display/icons.tsx'
import { StatusDot } from '../../ui/display/status-dot.tsx'
import { LinkButton, TextLink } from '../../ui/page/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { EmptyState, FailureState } from '../../ui/page/states.tsx'
import { shownDestination } from './destinations/kinds.ts'
import { bytesText, countText, lagText, stateOf, troubleOf, useHealth } from './health.ts'
import { JobActions, nameOf } from './job-actions.tsx'
import { at, type LogScope, useLogScope } from './scope.ts'

/** Jobs of a zone or of the account, with their health. */
export default function LogpushPage() {
  const scope = useLogScope()
  const jobs = useRead(
    at(scope, 'GET /zones/{zone_id}/logpush/jobs'),
    { path: scope.ids },
    { everyMs: 30_000 },
  )
  const navigate = useNavigate()
  const columns = useMemo(() => columnsOf(scope), [scope])
  const rows = useMemo(() => (jobs.data ?? []).toSorted((a, b) => a.id - b.id), [jobs.data])
  return (
    <>
      <PageHeader
        title="Logpush"
        text={
          scope.kind === 'zone'
            ? 'Jobs that deliver the log records of this zone. For jobs that cover all zones, see the account’s Logpush page.'
            : 'Account jobs: they deliver the log records of all current and future zones.'
        }
        actions={<NewJob scope={scope} />}
      />
      {jobs.isError ? (
        <FailureState title="Failed to load jobs" error={jobs.error} />
      ) : (
        <DataTable
          label="Logpush jobs"
          columns={columns}
          rows={rows}
          rowKey={job => String(job.id)}
          rowHeight={60}
          onOpen={job => void navigate({ to: `${scope.path}/${job.id}` })}
          empty={jobs.isPending ? <Skeleton h={120} m="md" /> : <NoJobs scope={scope} />}
        />
      )}
    </>
  )
}

function NewJob({ scope }: { readonly scope: LogScope }) {
  return (
    <Permitted needs={scope.write}>
      {barred => (
        <LinkButton to={`${scope.path}/new`} leftSection={<PlusIcon size={16} />} {...barred}>
          Create a Logpush job
        </LinkButton>
      )}
    </Permitted>
  )
}

function NoJobs({ scope }: { readonly scope: LogScope }) {
  return (
    <EmptyState
      title="No jobs yet"
      text="A job filters log records and delivers them to S3, a directory, Splunk, Kafka or another destination."
      action={<NewJob scope={scope} />}
    />
  )
}

function columnsOf(scope: LogScope): readonly Column<LogpushJob>[] {
  return [
    {
      key: 'name',
      title: 'Job',
      width: 'minmax(0, 2fr)',
      render: job => (
        <TwoLines
          first={
            <TextLink to={`${scope.path}/${job.id}`} fw={550} c="inherit" inherit>
              {nameOf(job)}
            </TextLink>
          }
          second={job.dataset}
        />
      ),
    },
    {
      key: 'destination',
      title: 'Destination',
      width: 'minmax(0, 2fr)',
      minWindow: 768,
      render: job => {
        const { title, where } = shownDestination(job.destination_conf)
        return <TwoLines first={title} second={where} />
      },
    },
    {
      key: 'state',
      title: 'State',
      width: 'minmax(92px, 2fr)',
      render: job => <State scope={scope} job={job} />,
    },
    figure(scope, 'lag', 'Lag', lagText),
    figure(scope, 'lines', 'Lines, 24 h', health => countText(health.totals.successful.lines)),
    figure(scope, 'bytes', 'Bytes, 24 h', health => bytesText(health.totals.successful.bytes)),
    {
      key: 'actions',
      title: 'Actions',
      width: '52px',
      render: job => (
        // Clicks inside its dialogs do not open the row.
        // biome-ignore lint/a11y/noStaticElementInteractions: it only stops propagation
        <div role="presentation" onClick={event => event.stopPropagation()}>
          <JobActions scope={scope} job={job} />
        </div>
      ),
    },
  ]
}

function figure(
  scope: LogScope,
  key: string,
  title: string,
  text: (health: LogpushHealth) => string,
): Column<LogpushJob> {
  return {
    key,
    title,
    width: '92px',
    align: 'right',
    minWindow: 992,
    render: job => <HealthText scope={scope} job={job} text={text} />,
  }
}

interface CellProps {
  readonly scope: LogScope
  readonly job: LogpushJob
}

function State({ scope, job }: CellProps) {
  const { data } = useHealth(scope, job.id)
  const { word, tone } = stateOf(job, data)
  const trouble = data === undefined ? undefined : troubleOf(data)
  if (trouble === undefined) return <StatusDot tone={tone}>{word}</StatusDot>
  return (
    <Tooltip label={trouble}>
      <div>
        <TwoLines first={<StatusDot tone={tone}>{word}</StatusDot>} second={trouble} />
      </div>
    </Tooltip>
  )
}

function HealthText({ scope, job, text }: CellProps & { readonly text: (health: LogpushHealth) => string }) {
  const { data, isError } = useHealth(scope, job.id)
  if (data === undefined) return <span>{isError ? '–' : '…'}</span>
  return <span>{text(data)}</span>
}

function TwoLines({ first, second }: { readonly first: ReactNode; readonly second: string }) {
  return (
    <div>
      <div className="cut">{first}</div>
      <Text size="xs" c="dimmed" className="cut">
        {second}
      </Text>
    </div>
  )
}
