import { Alert, Code, Group, Loader, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { lazy, Suspense, useMemo } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { LogpushHealth, LogpushJob } from '../../api/types.ts'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { AlertIcon } from '../../ui/display/icons.tsx'
import { StatusDot } from '../../ui/display/status-dot.tsx'
import { Figure } from '../../ui/page/figure.tsx'
import { LinkButton, TextLink } from '../../ui/page/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { PageLoading } from '../../ui/page/page-loading.tsx'
import { EmptyState, FailureState } from '../../ui/page/states.tsx'
import { bucketsOf, statusSums } from './buckets.ts'
import { shownDestination } from './destinations/kinds.ts'
import { bytesText, countText, lagText, stateOf, troubleOf, useHealth } from './health.ts'
import { HealthRange, useHealthRange } from './health-range.tsx'
import { JobActions, nameOf } from './job-actions.tsx'
import { Replays } from './replays.tsx'
import { at, type LogScope, useJobId, useLogScope } from './scope.ts'

const FilterWords = lazy(() => import('./filter-words.tsx'))
const JobCharts = lazy(() => import('./job-charts.tsx'))

/** Status and health of one job, over at most 30 days. */
export default function JobPage() {
  const scope = useLogScope()
  const path = { ...scope.ids, job_id: useJobId() }
  const job = useRead(at(scope, 'GET /zones/{zone_id}/logpush/jobs/{job_id}'), { path }, { everyMs: 30_000 })
  if (job.isPending) return <PageLoading />
  if (job.isError) return <FailureState title="Failed to load job" error={job.error} />
  return <Job scope={scope} job={job.data} />
}

function Job({ scope, job }: { readonly scope: LogScope; readonly job: LogpushJob }) {
  const range = useHealthRange()
  const health = useHealth(scope, job.id, range.since)
  const now = health.data
  const { word, tone } = stateOf(job, now)
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
        {now === undefined ? null : <Troubles health={now} title={word} />}
        <Group justify="space-between">
          <Title order={2}>Health</Title>
          <HealthRange />
        </Group>
        {health.isError ? <FailureState title="Failed to load health" error={health.error} /> : null}
        <Figures job={job} health={now} name={range.name} />
        {now === undefined ? null : <Deliveries health={now} sinceMs={Date.parse(range.since)} />}
        <Settings job={job} />
        <Replays scope={scope} job={job} />
      </Stack>
    </>
  )
}

interface TroublesProps {
  readonly health: LogpushHealth
  /** The state of the job in a word. */
  readonly title: string
}

/** Alerts at the top of the page. */
function Troubles({ health, title }: TroublesProps) {
  const trouble = troubleOf(health)
  return (
    <>
      {trouble === undefined ? null : (
        <Alert color={health.state === 'paused' ? 'red' : 'orange'} title={title} icon={<AlertIcon />}>
          <Text size="sm" className="wrap">
            {trouble}
          </Text>
        </Alert>
      )}
      {health.faults.map(({ code, message }) => (
        <Alert key={message} color="red" title={faultTitles[code]} icon={<AlertIcon />}>
          <Text size="sm">{message}.</Text>
        </Alert>
      ))}
      {health.totals.reset.uploads === 0 ? null : (
        <Alert color="orange" title="Record log lost or recreated" icon={<AlertIcon />}>
          <Text size="sm">
            Delivery continues from the start of the new log. Records that existed only in the old log are
            lost.
          </Text>
        </Alert>
      )}
    </>
  )
}

interface FiguresProps {
  readonly job: LogpushJob
  readonly health: LogpushHealth | undefined
  /** Totals of the range. */
  readonly name: string
}

function Figures({ job, health, name }: FiguresProps) {
  const totals = health?.totals
  const compressed = totals === undefined ? undefined : bytesText(totals.successful.bytes_compressed)
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="md">
      <Figure label="Lag" value={health && lagText(health)} note={lagNote(health)} />
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
            : `${countText(totals.retry.uploads)} retried, ${countText(totals.failed.uploads)} failed`
        }
      />
      <Figure
        label={`Lost, ${name}`}
        value={totals && countText(totals.missing.lines)}
        note="lines dropped before delivery"
        {...(totals !== undefined && totals.missing.lines > 0 ? { tone: 'bad' as const } : {})}
      />
      <Figure
        label="Last delivery"
        value={job.last_complete === null ? 'None yet' : timeText(job.last_complete)}
        note={job.last_error === null ? 'no failures since' : `last failure ${timeText(job.last_error)}`}
      />
    </SimpleGrid>
  )
}

const faultTitles: Readonly<Record<LogpushHealth['faults'][number]['code'], string>> = {
  records_lost: 'Records lost',
  log_unread: 'Record log not delivered',
  log_full: 'Record log full',
}

function lagNote(health: LogpushHealth | undefined): string | undefined {
  if (health?.state === 'disabled') return 'not measured while paused'
  return health?.oldest_undelivered ? `since ${timeText(health.oldest_undelivered)}` : 'nothing pending'
}

function Deliveries({ health, sinceMs }: { readonly health: LogpushHealth; readonly sinceMs: number }) {
  const buckets = useMemo(() => bucketsOf(health, sinceMs, Date.now()), [health, sinceMs])
  const sums = useMemo(() => statusSums(health.hours), [health.hours])
  if (health.hours.length === 0)
    return (
      <EmptyState
        title="No deliveries in this period"
        text="A batch is uploaded within 30 seconds after a record matches the filter."
      />
    )
  return (
    <>
      <Suspense fallback={<Loader role="status" aria-label="Loading charts" />}>
        <JobCharts buckets={buckets} />
      </Suspense>
      <section aria-labelledby="statuses">
        <Title order={2} mb="sm" id="statuses">
          Upload results
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
  retry: 'Retried',
  failed: 'Failed',
  missing: 'Lost',
  reset: 'Log recreated',
}

function Settings({ job }: { readonly job: LogpushJob }) {
  const { title, where } = shownDestination(job.destination_conf)
  return (
    <section aria-labelledby="settings">
      <Title order={2} mb="sm" id="settings">
        Configuration
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
          <Text size="sm">All records</Text>
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
  return logpull_options ? `logpull_options: ${logpull_options}` : 'Default fields'
}

function timeText(iso: string): string {
  const moment = new Date(iso)
  const isToday = moment.toDateString() === new Date().toDateString()
  return isToday
    ? moment.toLocaleTimeString()
    : moment.toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'short' })
}
