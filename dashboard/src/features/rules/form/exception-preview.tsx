import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import type { ExceptionPreview } from '../../../api/types.ts'
import type { ActionParameters } from '../../../domain/ruleset/rules/document.ts'
import { Permitted } from '../../../ui/controls/permitted.tsx'
import { FailureText } from '../../../ui/display/failure-text.tsx'
import { AlertIcon } from '../../../ui/display/icons.tsx'
import { previewSentences } from './preview-sentences.ts'

interface Props {
  readonly zoneId: string
  readonly expression: string
  readonly parameters: ActionParameters
  /** Why a preview is not possible yet. */
  readonly missing: string | undefined
}

const shownMax = 5

/** Replays the events of the last day against the exception before it is saved. */
export function ExceptionPreviewPanel({ zoneId, expression, parameters, missing }: Props) {
  const asked = JSON.stringify([expression, parameters])
  const preview = useMutation({
    mutationFn: () =>
      call('POST /zones/{zone_id}/security/exceptions/preview', {
        path: { zone_id: zoneId },
        body: { expression, action_parameters: parameters as Record<string, unknown> },
      }).then(result => ({ asked, result })),
  })
  const { data } = preview
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Permitted needs="zoneLogs read">
          {barred => (
            <Button
              variant="default"
              loading={preview.isPending}
              disabled={missing !== undefined}
              onClick={() => preview.mutate()}
              {...barred}
            >
              Preview effect
            </Button>
          )}
        </Permitted>
        <Text size="xs" c="dimmed">
          {missing ?? 'Replays the recorded events of the last 24 hours.'}
        </Text>
      </Group>
      <div role="status">
        {data === undefined ? null : <Answer preview={data.result} isOld={data.asked !== asked} />}
      </div>
      {preview.error === null ? null : (
        <Alert color="red" icon={<AlertIcon />} role="alert" title="Failed to replay events">
          <FailureText error={preview.error} />
        </Alert>
      )}
    </Stack>
  )
}

function Answer({ preview, isOld }: { readonly preview: ExceptionPreview; readonly isOld: boolean }) {
  const examples = preview.examples
    .filter(({ outcome }) => outcome.endsWith('let_through'))
    .slice(0, shownMax)
  return (
    <Stack gap="xs" opacity={isOld ? 0.6 : 1}>
      {isOld ? (
        <Text size="sm" fw={600}>
          The exception has changed since this preview:
        </Text>
      ) : null}
      {previewSentences(preview).map(sentence => (
        <Text key={sentence} size="sm">
          {sentence}
        </Text>
      ))}
      {examples.length === 0 ? null : (
        <List size="sm" spacing={4}>
          {examples.map(({ ray_id, method, host, path, client_ip, datetime, score, remaining_score }) => (
            <List.Item key={ray_id}>
              <span className="mono wrap">
                {method} {host}
                {path}
              </span>{' '}
              <Text span size="xs" c="dimmed">
                from {client_ip}, {new Date(datetime).toLocaleString()}, score {score} → {remaining_score}
              </Text>
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  )
}
