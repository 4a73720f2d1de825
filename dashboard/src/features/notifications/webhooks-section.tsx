import { Text } from '@mantine/core'
import { useSession } from '../../api/hooks.ts'
import type { NotificationWebhook } from '../../api/types.ts'
import { usePages } from '../../api/use-pages.ts'
import { useChange } from '../../ui/controls/use-change.ts'
import { momentText } from '../../ui/display/local-time.ts'
import { Section } from '../../ui/page/section.tsx'
import { Receivers } from './receivers.tsx'

export function WebhooksSection() {
  const { accountId } = useSession()
  const webhooks = usePages(
    'GET /accounts/{account_id}/alerting/v3/destinations/webhooks',
    { path: { account_id: accountId } },
    { perPage: 50 },
  )
  const test = useChange('POST /accounts/{account_id}/alerting/v3/destinations/webhooks/{webhook_id}/test', {
    done: 'The webhook took the test',
    failed: 'The webhook did not take the test',
  })
  return (
    <Section title="Webhooks" text="Policies send to them.">
      <Receivers
        kind="webhooks"
        list={webhooks}
        testing={test.isPending ? test.variables.path?.['webhook_id'] : undefined}
        onTest={({ id }) =>
          test.mutate(
            { path: { account_id: accountId, webhook_id: id } },
            // A failure counts as well.
            { onSettled: () => webhooks.refetch() },
          )
        }
        about={webhook => (
          <>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {webhook.url}
            </Text>
            <Text size="sm">{resultText(webhook)}</Text>
          </>
        )}
      />
    </Section>
  )
}

function resultText({ last_success: taken, last_failure: failed }: NotificationWebhook): string {
  if (taken === null && failed === null) return 'Nothing was sent yet'
  if (failed === null || (taken !== null && taken > failed))
    return `Last took a message: ${momentText(taken!)}`
  return `Last failed: ${momentText(failed)}`
}
