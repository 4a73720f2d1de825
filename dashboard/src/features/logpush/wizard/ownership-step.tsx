import { Alert, Button, Code, Group, List, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { FailureText } from '../../../ui/failure-text.tsx'
import { confOf, kindById } from '../destinations/kinds.ts'
import { challengeOf, valuesOf } from '../draft.ts'
import { at } from '../scope.ts'
import { UploadSteps } from './test-upload.tsx'
import type { StepProps } from './wizard.tsx'

/** The destination has no credentials of its own, so its owner reads a text there and gives it back. */
export function OwnershipStep({ scope, draft, steps, change }: StepProps) {
  const kind = kindById(draft.kind)
  const conf = confOf(kind, valuesOf(draft))
  const isWhole = steps.find(({ id }) => id === 'destination')?.missing === undefined
  const write = useMutation({
    mutationFn: (destination_conf: string) =>
      call(at(scope, 'POST /zones/{zone_id}/logpush/ownership'), {
        path: scope.ids,
        body: { destination_conf },
      }),
  })
  const check = useMutation({
    mutationFn: (ownership_challenge: string) =>
      call(at(scope, 'POST /zones/{zone_id}/logpush/ownership/validate'), {
        path: scope.ids,
        body: { destination_conf: conf, ownership_challenge },
      }),
  })
  const written = write.variables === conf ? write.data : undefined
  const answer = challengeOf(draft)
  const checked = check.variables === answer ? check.data : undefined
  return (
    <Stack>
      <Text size="sm">
        Somebody could name a destination of others. To show that this one is yours, Sluice leaves a text
        there that only its owner can read.
      </Text>
      <List type="ordered" spacing="md">
        <List.Item>
          <Group gap="sm">
            <Text size="sm">Let Sluice write the challenge.</Text>
            <Button
              size="xs"
              variant="default"
              loading={write.isPending}
              disabled={!isWhole}
              onClick={() => write.mutate(conf)}
            >
              Write the challenge
            </Button>
          </Group>
          <div role="status">
            {written?.valid ? (
              <Text size="sm" mt={4} c="var(--sluice-good)" className="wrap">
                It is written{written.filename === '' ? '' : ': '}
                {written.filename === '' ? '' : <Code>{written.filename}</Code>}
              </Text>
            ) : null}
            {written !== undefined && !written.valid ? <UploadSteps message={written.message} /> : null}
            {write.isError ? <FailureText error={write.error} /> : null}
          </div>
        </List.Item>
        <List.Item>
          <Text size="sm">Read it {kind.challengeAt ?? 'there'} and copy its whole text.</Text>
        </List.Item>
        <List.Item styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}>
          <Textarea
            label="Text of the challenge"
            description="It is good for 7 days, and for exactly this destination."
            value={draft.challenge}
            onChange={event => change({ challenge: event.currentTarget.value })}
            autosize
            minRows={3}
            maxRows={8}
            maw={640}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          <Button
            size="xs"
            variant="default"
            mt="xs"
            loading={check.isPending}
            disabled={answer === ''}
            onClick={() => check.mutate(answer)}
          >
            Check it
          </Button>
          <div role="status">
            {checked === undefined ? null : (
              <Alert color={checked.valid ? 'teal' : 'red'} mt="xs" p="xs">
                {checked.valid
                  ? 'The destination is yours.'
                  : 'This is not the challenge of this destination. Copy its whole text again; if the destination has changed since it was written, or a week has gone by, write a new one.'}
              </Alert>
            )}
            {check.isError ? <FailureText error={check.error} /> : null}
          </div>
        </List.Item>
      </List>
    </Stack>
  )
}
