import { Alert, Code, Group, Loader, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { lazy, Suspense, useMemo } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { LogpushHealth, LogpushJob } from '../../api/types.ts'
import { PageLoading } from '../../app/page-states.tsx'
import { Figure } from '../../ui/figure.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { LinkButton, TextLink } from '../../ui/links.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Permitted } from '../../ui/permitted.tsx'
import { EmptyState, FailureState } from '../../ui/states.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { bucketsOf, statusSums } from './buckets.ts'
import { shownDestination } from './destinations/kinds.ts'
import { bytesText, countText, lagText, stateOf, troubleOf, useHealth } from './health.ts'
import { HealthRange, useHealthRange } from './health-range.tsx'
import { JobActions, nameOf } from './job-actions.tsx'
import { Replays } from './replays.tsx'
import { at, type LogScope, useJobId, useLogScope } from './scope.ts'

const FilterWords = lazy(() => import('./filter-words.tsx'))
const JobCharts = lazy(() => import('./job-charts.tsx'))

/** How one job is doing, over 30 days at most. */
export default function JobPage() {
  const scope = useLogScope()
  const path = { ...scope.ids, job_id: useJobId() }
  const job = useRead(at(scope, 'GET /zones/{zone_id}/logpush/jobs/{job_id}'), { path }, { everyMs: 30_000 })
  if (job.isPending) return <PageLoading />
  if (job.isError) return <FailureState title="The job cannot be read" error={job.error} />
  return <Job scope={scope} job={job.data} />
}

function Job({ scope, job }: { readonly scope: LogScope; readonly job: LogpushJob }) {
  const range = useHealthRange()
  const health = useHealth(scope, job.id, range.since)
  const now = health.data
  const { word, tone } = stateOf(job, now)
  const trouble = now === undefined ? undefined : troubleOf(now)
  return (
    <>
      <PageHeader
        title={nameOf(job)}
        text={
          <Group component="span" gap="md">
            <StatusDot tone={tone}>{word}</StatusDot>
            <span>{job.dataset}</span>
            <TextLink to={scope.path}>All jobs</TextLink>
          </Group>
        }
        actions={
          <>
            <Permitted needs={scope.write}>
              {barred => (
                <LinkButton variant="default" to={`${scope.path}/${job.id}/edit`} {...barred}>
                  Edit
                </LinkButton>
              )}
            </Permitted>
            <JobActions scope={scope} job={job} />
          </>
        }
      />
      <Stack gap="lg">
        {trouble === undefined || now === undefined ? null : (
          <Alert color={now.state === 'paused' ? 'red' : 'orange'} title={word} icon={<AlertIcon />}>
            <Text size="sm" className="wrap">
              {trouble}
            </Text>
          </Alert>
        )}
        <Group justify="space-between">
          <Title order={2}>Health</Title>
          <HealthRange />
        </Group>
        {health.isError ? <FailureState title="The health cannot be read" error={health.error} /> : null}
        <Figures job={job} health={now} name={range.name} />
        {now === undefined ? null : <Deliveries health={now} sinceMs={Date.parse(range.since)} />}
        <Settings job={job} />
        <Replays scope={scope} job={job} />
      </Stack>
    </>
  )
}

interface FiguresProps {
  readonly job: LogpushJob
  readonly health: LogpushHealth | undefined
  /** Of the range. */
  readonly name: string
}

function Figures({ job, health, name }: FiguresProps) {
  const totals = health?.totals
  const compressed = totals === undefined ? undefined : bytesText(totals.successful.bytes_compressed)
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="md">
      <Figure label="Behind" value={health && lagText(health)} note={lagNote(health)} />
      <Figure label={`Lines, ${name}`} value={totals && countText(totals.successful.lines)} />
      <Figure
        label={`Bytes, ${name}`}
        value={totals && bytesText(totals.successful.bytes)}
        note={compressed === undefined ? undefined : `${compressed} compressed`}
      />
      <Figure
        label={`Batches, ${name}`}
        value={totals && countText(totals.successful.uploads)}
        note={
          totals === undefined
            ? undefined
            : `${countText(totals.retry.uploads)} tried again, ${countText(totals.failed.uploads)} failed`
        }
      />
      <Figure
        label={`Lost, ${name}`}
        value={totals && countText(totals.missing.lines)}
        note="lines that went before they were delivered"
        {...(totals !== undefined && totals.missing.lines > 0 ? { tone: 'bad' as const } : {})}
      />
      <Figure
        label="Last delivery"
        value={job.last_complete === null ? 'None yet' : timeText(job.last_complete)}
        note={job.last_error === null ? 'no failure since' : `last failure ${timeText(job.last_error)}`}
      />
    </SimpleGrid>
  )
}

function lagNote(health: LogpushHealth | undefined): string | undefined {
  if (health?.state === 'disabled') return 'not counted while it is paused'
  return health?.oldest_undelivered ? `since ${timeText(health.oldest_undelivered)}` : 'nothing waits'
}

function Deliveries({ health, sinceMs }: { readonly health: LogpushHealth; readonly sinceMs: number }) {
  const buckets = useMemo(() => bucketsOf(health, sinceMs, Date.now()), [health, sinceMs])
  const sums = useMemo(() => statusSums(health.hours), [health.hours])
  if (health.hours.length === 0)
    return (
      <EmptyState
        title="Nothing was delivered in this time"
        text="A batch goes out when a record passes the filter, at most half a minute later."
      />
    )
  return (
    <>
      <Suspense fallback={<Loader role="status" aria-label="Charts are being loaded" />}>
        <JobCharts buckets={buckets} />
      </Suspense>
      <section aria-labelledby="statuses">
        <Title order={2} mb="sm" id="statuses">
          What came of the uploads
        </Title>
        <Paper withBorder style={{ borderColor: 'var(--sluice-line)', background: 'var(--sluice-raised)' }}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Outcome</Table.Th>
                <Table.Th>Status</Table.Th>
                <Table.Th ta="right">Uploads</Table.Th>
                <Table.Th ta="right">Lines</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sums.map(({ outcome, status, uploads, lines }) => (
                <Table.Tr key={`${outcome} ${status}`}>
                  <Table.Td>{outcomes[outcome]}</Table.Td>
                  <Table.Td className="mono">{status || '–'}</Table.Td>
                  <Table.Td ta="right">{countText(uploads)}</Table.Td>
                  <Table.Td ta="right">{countText(lines)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      </section>
    </>
  )
}

const outcomes: Readonly<Record<LogpushHealth['hours'][number]['outcome'], string>> = {
  successful: 'Successful',
  retry: 'Tried again',
  failed: 'Failed',
  missing: 'Lost',
}

function Settings({ job }: { readonly job: LogpushJob }) {
  const { title, where } = shownDestination(job.destination_conf)
  return (
    <section aria-labelledby="settings">
      <Title order={2} mb="sm" id="settings">
        What it delivers
      </Title>
      <Stack gap={4}>
        <Text size="sm" className="wrap">
          To {title}
          {where === '' ? '' : ': '}
          {where === '' ? null : <Code>{where}</Code>}
        </Text>
        {job.filter ? (
          <Suspense fallback={<Code className="wrap">{job.filter}</Code>}>
            <FilterWords filter={job.filter} dataset={job.dataset} />
          </Suspense>
        ) : (
          <Text size="sm">Every record</Text>
        )}
        <Text size="sm" c="dimmed" className="wrap">
          {fieldsText(job)}
        </Text>
      </Stack>
    </section>
  )
}

function fieldsText({ output_options, logpull_options }: LogpushJob): string {
  const options = output_options as { readonly field_names?: readonly string[] } | null | undefined
  if (options?.field_names?.length)
    return `${options.field_names.length} fields: ${options.field_names.join(', ')}`
  return logpull_options ? `logpull_options: ${logpull_options}` : 'The default fields'
}

function timeText(iso: string): string {
  const moment = new Date(iso)
  const isToday = moment.toDateString() === new Date().toDateString()
  return isToday
    ? moment.toLocaleTimeString()
    : moment.toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'short' })
}
