import { Button, Group, List, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { FailureText } from '../../../ui/failure-text.tsx'
import { AlertIcon, CheckIcon } from '../../../ui/icons.tsx'
import { at, type LogScope } from '../scope.ts'

/** Delivers a small batch to the destination and shows how far it came. */
export function TestUpload({ scope, conf }: { readonly scope: LogScope; readonly conf: string }) {
  const test = useMutation({
    mutationFn: (destination_conf: string) =>
      call(at(scope, 'POST /zones/{zone_id}/logpush/validate/destination'), {
        path: scope.ids,
        body: { destination_conf },
      }),
  })
  // An answer about another destination says nothing of this one.
  const answer = test.variables === conf ? test.data : undefined
  return (
    <div>
      <Group gap="md">
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate(conf)}>
          Send a test upload
        </Button>
        <Text size="xs" c="dimmed">
          Writes a small object or line there. It takes ten seconds at most.
        </Text>
      </Group>
      <div role="status">
        {answer === undefined ? null : (
          <UploadSteps message={answer.valid ? undefined : (answer.message ?? '')} />
        )}
        {test.isError && test.variables === conf ? <FailureText error={test.error} /> : null}
      </div>
    </div>
  )
}

/** What a delivery goes through, in this order, as the API names the step that failed. */
const steps = [
  { name: 'resolve name', done: 'The name has an address', failed: 'The name has no address' },
  { name: 'connect', done: 'It answers', failed: 'It cannot be reached' },
  { name: 'TLS', done: 'The connection is trusted', failed: 'The connection is not trusted' },
  { name: 'authenticate', done: 'The credentials are good', failed: 'The credentials were refused' },
  { name: 'write', done: 'The test was written', failed: 'It was not written' },
] as const

/** @param message the refusal of the API, which ends in `(failed step: NAME)`; undefined when everything went well */
export function UploadSteps({ message }: { readonly message: string | undefined }) {
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
        return (
          <List.Item
            key={step.name}
            icon={
              <Text span c={failed ? 'var(--sluice-bad)' : 'var(--sluice-good)'} lh={1}>
                {failed ? <AlertIcon size={16} /> : <CheckIcon size={16} />}
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
