import { Alert, Button, Code, Group, List, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../../api/client.ts'
import { FailureText } from '../../../../ui/display/failure-text.tsx'
import { confOf, kindById } from '../../destinations/kinds.ts'
import { challengeOf, valuesOf } from '../../draft.ts'
import { at, type LogScope } from '../../scope.ts'
import type { StepProps } from '../step-props.ts'
import { UploadSteps } from './upload-check.tsx'

/** Ownership challenge for destinations without credentials. */
export function OwnershipStep({ scope, draft, steps, change }: StepProps) {
  const kind = kindById(draft.kind)
  const conf = confOf(kind, valuesOf(draft))
  const isWhole = steps.find(({ id }) => id === 'destination')?.missing === undefined
  const answer = challengeOf(draft)
  return (
    <Stack>
      <Text size="sm">
        The configuration has no credentials, so anyone could enter it. To verify that the destination is
        yours, Sluice writes a challenge there that only its owner can read.
      </Text>
      <List type="ordered" spacing="md">
        <List.Item>
          <WriteChallenge scope={scope} conf={conf} disabled={!isWhole} />
        </List.Item>
        <List.Item>
          <Text size="sm">Open the challenge {kind.challengeAt ?? 'there'} and copy its full text.</Text>
        </List.Item>
        <List.Item styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}>
          <Textarea
            label="Challenge"
            description="Valid for 7 days, and only for this destination."
            value={draft.challenge}
            onChange={event => change({ challenge: event.currentTarget.value })}
            autosize
            minRows={3}
            maxRows={8}
            maw={640}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          <CheckChallenge scope={scope} conf={conf} answer={answer} />
        </List.Item>
      </List>
    </Stack>
  )
}

interface WriteProps {
  readonly scope: LogScope
  readonly conf: string
  readonly disabled: boolean
}

function WriteChallenge({ scope, conf, disabled }: WriteProps) {
  const write = useMutation({
    mutationFn: (destination_conf: string) =>
      call(at(scope, 'POST /zones/{zone_id}/logpush/ownership'), {
        path: scope.ids,
        body: { destination_conf },
      }),
  })
  const written = write.variables === conf ? write.data : undefined
  return (
    <>
      <Group gap="sm">
        <Text size="sm">Write the challenge to the destination.</Text>
        <Button
          size="xs"
          variant="default"
          loading={write.isPending}
          disabled={disabled}
          onClick={() => write.mutate(conf)}
        >
          Write challenge
        </Button>
      </Group>
      <div role="status">
        {written?.valid ? (
          <Text size="sm" mt={4} c="var(--sluice-good)" className="wrap">
            Challenge written{written.filename === '' ? '' : ': '}
            {written.filename === '' ? '' : <Code>{written.filename}</Code>}
          </Text>
        ) : null}
        {written !== undefined && !written.valid ? (
          <UploadSteps conf={conf} message={written.message} />
        ) : null}
        {write.isError ? <FailureText error={write.error} /> : null}
      </div>
    </>
  )
}

interface CheckProps {
  readonly scope: LogScope
  readonly conf: string
  /** The challenge text from the destination. */
  readonly answer: string
}

function CheckChallenge({ scope, conf, answer }: CheckProps) {
  const check = useMutation({
    mutationFn: (ownership_challenge: string) =>
      call(at(scope, 'POST /zones/{zone_id}/logpush/ownership/validate'), {
        path: scope.ids,
        body: { destination_conf: conf, ownership_challenge },
      }),
  })
  const checked = check.variables === answer ? check.data : undefined
  return (
    <>
      <Button
        size="xs"
        variant="default"
        mt="xs"
        loading={check.isPending}
        disabled={answer === ''}
        onClick={() => check.mutate(answer)}
      >
        Verify
      </Button>
      <div role="status">
        {checked === undefined ? null : (
          <Alert color={checked.valid ? 'teal' : 'red'} mt="xs" p="xs">
            {checked.valid
              ? 'Ownership verified.'
              : 'Wrong challenge. Copy the full text again. If the destination changed or the challenge is older than 7 days, write a new one.'}
          </Alert>
        )}
        {check.isError ? <FailureText error={check.error} /> : null}
      </div>
    </>
  )
}
