import { Alert, Button, Group, List, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiFailure } from '../../../../api/failure.ts'
import { Permitted } from '../../../../ui/controls/permitted.tsx'
import { ApiCall } from '../../../../ui/display/api-call.tsx'
import { FailureText } from '../../../../ui/display/failure-text.tsx'
import { AlertIcon } from '../../../../ui/display/icons.tsx'
import { confOf, kindById, maskedConf } from '../../destinations/kinds.ts'
import { valuesOf } from '../../draft.ts'
import { TestUpload, UploadSteps } from '../destination/upload-check.tsx'
import type { StepProps } from '../step-props.ts'
import { namePattern, type Step } from '../steps.ts'
import { Begin } from './begin.tsx'
import { StepLink } from './step-link.tsx'
import { Summary } from './summary.tsx'
import { type Body, bodyOf, callOf, maskedBody, useWrite } from './write-job.ts'

/** Summary, test upload, API call and save button. */
export function ReviewStep(props: StepProps) {
  const { scope, job, draft, dataset, filter, steps, change, finish } = props
  const kind = kindById(draft.kind)
  const values = valuesOf(draft)
  const missing = steps.filter(step => step.missing !== undefined)
  const nameFault = namePattern.test(draft.name.trim()) ? undefined : 'Use letters, digits and . _ - only'
  const body = bodyOf(props)
  const { write, isPending, error } = useWrite(props)
  const isNothing = job !== undefined && Object.keys(body).length === 0
  const begins = draft.enabled && !job?.enabled
  const [past, setPast] = useState(draft.start !== '')
  const startFault = begins && past && draft.start === '' ? 'Enter a time' : undefined
  const barredHere = missing.length > 0 || nameFault !== undefined || startFault !== undefined || isNothing
  return (
    <Stack gap="lg">
      <TextInput
        label="Job name"
        description="Optional."
        value={draft.name}
        onChange={event => change({ name: event.currentTarget.value })}
        error={nameFault}
        maw={420}
      />
      <Begin {...props} begins={begins} past={past} fault={startFault} onPast={setPast} />
      <Summary {...props} />
      {missing.length === 0 ? null : <NotReady steps={missing} />}
      {steps.some(step => step.id === 'destination' && step.missing !== undefined) ? null : (
        <TestUpload scope={scope} conf={confOf(kind, values)} />
      )}
      <CallOfJob {...props} body={body} conf={maskedConf(kind, values)} />
      {error === null ? null : <Refusal error={error} conf={confOf(kind, values)} />}
      <Group>
        <Permitted needs={scope.write}>
          {barred => (
            <Button loading={isPending} disabled={barredHere} onClick={() => write(body, finish)} {...barred}>
              {job === undefined ? 'Create job' : 'Save changes'}
            </Button>
          )}
        </Permitted>
        <Text size="sm" c="dimmed">
          {isNothing ? 'No changes.' : `${dataset.name}: ${filter.explanation ?? 'invalid filter'}.`}
        </Text>
      </Group>
    </Stack>
  )
}

function NotReady({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <Alert color="orange" title="Incomplete" icon={<AlertIcon />}>
      <List size="sm">
        {steps.map(({ id, title, missing }) => (
          <List.Item key={id}>
            {missing} <StepLink id={id}>Go to {title}</StepLink>
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

interface CallProps extends StepProps {
  readonly body: Body
  /** The destination with secrets masked. */
  readonly conf: string
}

function CallOfJob({ body, conf, ...props }: CallProps) {
  const [secretsShown, setSecretsShown] = useState(false)
  return (
    <Stack gap="xs">
      <ApiCall call={callOf(props, secretsShown ? body : maskedBody(body, conf))} />
      <Switch
        size="xs"
        label="Show secrets in the call"
        checked={secretsShown}
        onChange={event => setSecretsShown(event.currentTarget.checked)}
      />
    </Stack>
  )
}

function Refusal({ error, conf }: { readonly error: Error; readonly conf: string }) {
  const entries = error instanceof ApiFailure ? error.entries : []
  const upload = entries.find(({ message }) => message.includes('(failed step: '))
  const isNotOwned = entries.some(({ source }) => source?.pointer === '/ownership_challenge')
  return (
    <Alert color="red" title="Failed to save job" icon={<AlertIcon />} role="alert">
      {isNotOwned ? (
        <Text size="sm">
          The answer to the ownership challenge does not match this destination.{' '}
          <StepLink id="ownership">Go to Ownership</StepLink> and verify it again, or write a new challenge.
        </Text>
      ) : upload === undefined ? (
        <FailureText error={error} />
      ) : (
        <>
          <Text size="sm">The test upload failed.</Text>
          <UploadSteps conf={conf} message={upload.message} />
        </>
      )}
    </Alert>
  )
}
