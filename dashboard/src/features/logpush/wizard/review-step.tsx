import { Alert, Button, Group, List, Radio, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { describeCall } from '../../../api/client.ts'
import { ApiFailure } from '../../../api/failure.ts'
import { keyOf, useChange } from '../../../api/hooks.ts'
import type { LogpushJob } from '../../../api/types.ts'
import { ApiCall } from '../../../ui/api-call.tsx'
import { FailureText } from '../../../ui/failure-text.tsx'
import { AlertIcon } from '../../../ui/icons.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { localText } from '../../../ui/local-time.ts'
import { Permitted } from '../../../ui/permitted.tsx'
import { confOf, kindById, maskedConf } from '../destinations/kinds.ts'
import { changeOf, creationOf, draftOf, valuesOf } from '../draft.ts'
import { at, changedByJobs } from '../scope.ts'
import { filterStateOf, namePattern, type StepId } from './steps.ts'
import { TestUpload, UploadSteps } from './test-upload.tsx'
import classes from './wizard.module.css'
import type { StepProps } from './wizard.tsx'

/** Everything at a glance, a test upload, the call, and the button that makes it so. */
export function ReviewStep(props: StepProps) {
  const { scope, job, draft, dataset, filter, steps, change, finish } = props
  const kind = kindById(draft.kind)
  const values = valuesOf(draft)
  const missing = steps.filter(step => step.missing !== undefined)
  const nameFault = namePattern.test(draft.name.trim())
    ? undefined
    : 'Letters, digits and . _ - only, without blanks'
  const body = useBody(props)
  const [secretsShown, setSecretsShown] = useState(false)
  const { write, isPending, error } = useWrite(props)
  const isNothing = job !== undefined && Object.keys(body).length === 0
  const begins = draft.enabled && !job?.enabled
  const [past, setPast] = useState(draft.start !== '')
  const startFault = begins && past && draft.start === '' ? 'A time is needed' : undefined
  const barredHere = missing.length > 0 || nameFault !== undefined || startFault !== undefined || isNothing
  return (
    <Stack gap="lg">
      <TextInput
        label="Name of the job"
        description="To tell it from others; may stay empty."
        value={draft.name}
        onChange={event => change({ name: event.currentTarget.value })}
        error={nameFault}
        maw={420}
      />
      <Stack gap="xs">
        <Switch
          label="Deliver at once"
          description="Otherwise the job is made and waits until somebody resumes it."
          checked={draft.enabled}
          onChange={event => change({ enabled: event.currentTarget.checked })}
        />
        {begins ? (
          <Start
            past={past}
            start={draft.start}
            fault={startFault}
            onPast={wanted => {
              setPast(wanted)
              change({ start: wanted ? localText(Date.now() - hourMs) : '' })
            }}
            onChange={start => change({ start })}
          />
        ) : null}
      </Stack>
      <Summary {...props} />
      {missing.length === 0 ? null : (
        <Alert color="orange" title="Not ready yet" icon={<AlertIcon />}>
          <List size="sm">
            {missing.map(({ id, title, missing: what }) => (
              <List.Item key={id}>
                {what} <StepLink id={id}>Go to {title}</StepLink>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {steps.some(step => step.id === 'destination' && step.missing !== undefined) ? null : (
        <TestUpload scope={scope} conf={confOf(kind, values)} />
      )}
      <Stack gap="xs">
        <ApiCall call={callOf(props, secretsShown ? body : maskedBody(body, maskedConf(kind, values)))} />
        <Switch
          size="xs"
          label="With secrets in the call"
          checked={secretsShown}
          onChange={event => setSecretsShown(event.currentTarget.checked)}
        />
      </Stack>
      {error === null ? null : <Refusal error={error} />}
      <Group>
        <Permitted needs={scope.write}>
          {barred => (
            <Button loading={isPending} disabled={barredHere} onClick={() => write(body, finish)} {...barred}>
              {job === undefined ? 'Create the job' : 'Save the changes'}
            </Button>
          )}
        </Permitted>
        <Text size="sm" c="dimmed">
          {isNothing
            ? 'Nothing is different.'
            : `${dataset.name}: ${filter.explanation ?? 'the filter is not valid'}.`}
        </Text>
      </Group>
    </Stack>
  )
}

type Body = Readonly<Record<string, unknown>>

function useBody({ job, draft, dataset, filter }: StepProps): Body {
  if (job === undefined) return creationOf(draft, filter.text) as unknown as Body
  const before = draftOf(job, dataset.defaultFields)
  return changeOf(before, filterStateOf(before, dataset).text, draft, filter.text) as Body
}

function maskedBody(body: Body, conf: string): Body {
  return 'destination_conf' in body ? { ...body, destination_conf: conf } : body
}

function callOf({ scope, job }: StepProps, body: Body) {
  return job === undefined
    ? describeCall(at(scope, 'POST /zones/{zone_id}/logpush/jobs'), { path: scope.ids, body: body as never })
    : describeCall(at(scope, 'PUT /zones/{zone_id}/logpush/jobs/{job_id}'), {
        path: { ...scope.ids, job_id: job.id },
        body: body as never,
      })
}

function useWrite({ scope, job }: StepProps) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const changes = changedByJobs(scope)
  const onDone = (written: LogpushJob) => {
    queries.setQueryData(
      keyOf(at(scope, 'GET /zones/{zone_id}/logpush/jobs/{job_id}'), {
        path: { ...scope.ids, job_id: written.id },
      }),
      written,
    )
    void navigate({ to: `${scope.path}/${written.id}` })
  }
  const shared = { failed: '', changes, onDone, quietFailure: true }
  const create = useChange(at(scope, 'POST /zones/{zone_id}/logpush/jobs'), {
    ...shared,
    done: 'The job is made',
  })
  const update = useChange(at(scope, 'PUT /zones/{zone_id}/logpush/jobs/{job_id}'), {
    ...shared,
    done: 'The job is changed',
  })
  return {
    isPending: create.isPending || update.isPending,
    error: create.error ?? update.error,
    write(body: Body, finish: () => void) {
      const whenDone = { onSuccess: finish }
      if (job === undefined) create.mutate({ path: scope.ids, body: body as never }, whenDone)
      else update.mutate({ path: { ...scope.ids, job_id: job.id }, body: body as never }, whenDone)
    },
  }
}

function Refusal({ error }: { readonly error: Error }) {
  const entries = error instanceof ApiFailure ? error.entries : []
  const upload = entries.find(({ message }) => message.includes('(failed step: '))
  const isNotOwned = entries.some(({ source }) => source?.pointer === '/ownership_challenge')
  return (
    <Alert color="red" title="The job was not written" icon={<AlertIcon />} role="alert">
      {isNotOwned ? (
        <Text size="sm">
          The answer to the ownership challenge is not that of this destination.{' '}
          <StepLink id="ownership">Go to Ownership</StepLink> and check it there, or write a new challenge.
        </Text>
      ) : upload === undefined ? (
        <FailureText error={error} />
      ) : (
        <>
          <Text size="sm">The test upload did not arrive.</Text>
          <UploadSteps message={upload.message} />
        </>
      )}
    </Alert>
  )
}

const hourMs = 3_600_000

interface StartProps {
  readonly past: boolean
  readonly start: string
  readonly fault: string | undefined
  onPast(past: boolean): void
  onChange(start: string): void
}

function Start({ past, start, fault, onPast, onChange }: StartProps) {
  return (
    <Radio.Group
      label="Begins with"
      value={past ? 'past' : 'now'}
      onChange={value => onPast(value === 'past')}
    >
      <Group mt="xs" gap="lg">
        <Radio value="now" label="records to come" />
        <Radio value="past" label="records from a time that has passed" />
        {past ? (
          <TextInput
            type="datetime-local"
            aria-label="From"
            value={start}
            error={fault}
            onChange={event => onChange(event.currentTarget.value)}
          />
        ) : null}
      </Group>
    </Radio.Group>
  )
}

function Summary({ draft, dataset, filter, steps }: StepProps) {
  const kind = kindById(draft.kind)
  const { options } = draft
  const rate = options['sample_rate']
  const format = [
    options['output_type'] === 'csv' ? 'CSV' : 'JSON lines',
    `times as ${String(options['timestamp_format'] ?? 'unixnano')}`,
    typeof rate === 'number' ? `${Number((rate * 100).toFixed(4))} % of the lines` : undefined,
    options['CVE-2021-44228'] === true ? 'log4j defused' : undefined,
    typeof options['record_template'] === 'string' ? 'with a template' : undefined,
  ].filter(Boolean)
  const batches = [
    draft.seconds === '' ? undefined : `${draft.seconds} s`,
    draft.records === '' ? undefined : `${Number(draft.records).toLocaleString('en')} lines`,
    draft.bytes === '' ? undefined : `${Number(draft.bytes).toLocaleString('en')} bytes`,
  ].filter(Boolean)
  const rows: readonly (readonly [StepId, string, ReactNode])[] = [
    ['destination', 'Destination', `${kind.title}: ${maskedConf(kind, valuesOf(draft))}`],
    ['dataset', 'Dataset', dataset.name],
    ['fields', 'Fields', `${draft.fields.length}: ${draft.fields.join(', ')}`],
    ['filter', 'Filter', filter.explanation ?? 'not valid'],
    ['format', 'Format', format.join(', ')],
    [
      'format',
      'Batches',
      batches.length === 0 ? `as usual, frequency ${draft.frequency}` : `at most ${batches.join(', ')}`,
    ],
  ]
  return (
    <dl className={classes['summary']}>
      {rows.map(([id, title, text]) => (
        <Row key={title} id={steps.some(step => step.id === id) ? id : undefined} title={title}>
          {text}
        </Row>
      ))}
    </dl>
  )
}

interface RowProps {
  readonly id: StepId | undefined
  readonly title: string
  readonly children: ReactNode
}

function Row({ id, title, children }: RowProps) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{children}</dd>
      <dd>
        {id === undefined ? null : (
          <StepLink id={id} label={`Change: ${title}`}>
            Change
          </StepLink>
        )}
      </dd>
    </>
  )
}

interface StepLinkProps {
  readonly id: StepId
  readonly label?: string
  readonly children: ReactNode
}

function StepLink({ id, label, children }: StepLinkProps) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string>>
  return (
    <TextLink
      to="."
      search={{ ...search, step: id }}
      underline="always"
      {...(label === undefined ? {} : { 'aria-label': label })}
    >
      {children}
    </TextLink>
  )
}
