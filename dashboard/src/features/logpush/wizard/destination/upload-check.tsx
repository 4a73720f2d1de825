import { Button, Group, List, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../../api/client.ts'
import { FailureText } from '../../../../ui/display/failure-text.tsx'
import { AlertIcon, CheckIcon } from '../../../../ui/display/icons.tsx'
import { at, type LogScope } from '../../scope.ts'
import { stepsTo } from './upload-steps.ts'

/** Uploads a small test batch and shows each step. */
export function TestUpload({ scope, conf }: { readonly scope: LogScope; readonly conf: string }) {
  const test = useMutation({
    mutationFn: (destination_conf: string) =>
      call(at(scope, 'POST /zones/{zone_id}/logpush/validate/destination'), {
        path: scope.ids,
        body: { destination_conf },
      }),
  })
  // A result is only valid for its destination.
  const answer = test.variables === conf ? test.data : undefined
  return (
    <div>
      <Group gap="md">
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate(conf)}>
          Send test upload
        </Button>
        <Text size="xs" c="dimmed">
          Writes a small object or line. Takes up to ten seconds.
        </Text>
      </Group>
      <div role="status">
        {answer === undefined ? null : (
          <UploadSteps conf={conf} message={answer.valid ? undefined : (answer.message ?? '')} />
        )}
        {test.isError && test.variables === conf ? <FailureText error={test.error} /> : null}
      </div>
    </div>
  )
}

/** @param message the API's error, which ends in `(failed step: NAME)`; undefined after success */
export function UploadSteps({
  conf,
  message,
}: {
  readonly conf: string
  readonly message: string | undefined
}) {
  const steps = stepsTo(conf)
  const name = message === undefined ? undefined : /\(failed step: ([a-zA-Z ]+)\)/.exec(message)?.[1]
  const failedAt = steps.findIndex(step => step.name === name)
  if (message !== undefined && failedAt < 0)
    return (
      <Text size="sm" mt="xs" className="wrap">
        {plainMessage(message)}
      </Text>
    )
  const shown = failedAt < 0 ? steps : steps.slice(0, failedAt + 1)
  return (
    <List spacing={4} mt="sm" size="sm" center>
      {shown.map((step, index) => {
        const failed = index === failedAt
        const isBad = failed || step.isDoubtful === true
        return (
          <List.Item
            key={step.name}
            icon={
              <Text span c={isBad ? 'var(--sluice-bad)' : 'var(--sluice-good)'} lh={1}>
                {isBad ? <AlertIcon size={16} /> : <CheckIcon size={16} />}
              </Text>
            }
          >
            <Text span fw={failed ? 600 : undefined} inherit>
              {failed ? step.failed : step.done}
            </Text>
            {failed ? (
              <Text size="sm" className="wrap">
                {plainMessage(message ?? '')}
              </Text>
            ) : null}
          </List.Item>
        )
      })}
    </List>
  )
}

function plainMessage(message: string): string {
  const plain = message
    .replace(/^error validating destination: error writing object: /, '')
    .replace(/ \(failed step: [a-zA-Z ]+\)$/, '')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}
