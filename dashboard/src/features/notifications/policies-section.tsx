import { Text } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../../api/hooks.ts'
import type { NotificationPolicy } from '../../api/types.ts'
import { usePages } from '../../api/use-pages.ts'
import { useChange } from '../../ui/controls/use-change.ts'
import { Section } from '../../ui/page/section.tsx'
import { Receivers } from './receivers.tsx'

/** The outcome of a test at one receiver. */
interface Trial {
  readonly mechanism: string
  /** Why the receiver has not taken it. */
  readonly error: string | null
}

export function PoliciesSection() {
  const { accountId } = useSession()
  const input = { path: { account_id: accountId } } as const
  const policies = usePages('GET /accounts/{account_id}/alerting/v3/policies', input, { perPage: 50 })
  const webhooks = usePages('GET /accounts/{account_id}/alerting/v3/destinations/webhooks', input, {
    perPage: 50,
  })
  const nameOf = (id: string) => webhooks.rows.find(webhook => webhook.id === id)?.name ?? id
  const [refused, setRefused] = useState<ReadonlyMap<string, readonly Trial[]>>(new Map())
  const test = useChange('POST /accounts/{account_id}/alerting/v3/policies/{policy_id}/test', {
    done: result => takenText(result as readonly Trial[]),
    failed: 'Failed to send the test',
  })
  const send = ({ id }: NotificationPolicy) =>
    test.mutate(
      { path: { account_id: accountId, policy_id: id } },
      {
        onSuccess: result => {
          const failures = (result as readonly Trial[]).filter(({ error }) => error !== null)
          setRefused(all => new Map(all).set(id, failures))
        },
        // A test is the latest result of its webhooks.
        onSettled: () => webhooks.refetch(),
      },
    )
  return (
    <Section title="Policies" text="A test goes to every receiver of a policy, also while the policy is off.">
      <Receivers
        kind="policies"
        list={policies}
        testing={test.isPending ? test.variables.path?.['policy_id'] : undefined}
        onTest={send}
        about={({ id, alert_type, enabled, mechanisms }) => (
          <>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {alert_type}
              {enabled ? '' : ', off'}
            </Text>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {receiversText(mechanisms, nameOf)}
            </Text>
            {(refused.get(id) ?? []).map(({ mechanism, error }) => (
              <Text
                key={mechanism}
                size="sm"
                c="var(--sluice-bad)"
                role="alert"
                style={{ overflowWrap: 'anywhere' }}
              >
                {nameOf(mechanism)}: {error}
              </Text>
            ))}
          </>
        )}
      />
    </Section>
  )
}

/** The page shows failures. */
function takenText(trials: readonly Trial[]): string | undefined {
  if (trials.some(({ error }) => error !== null)) return undefined
  return trials.length === 1 ? 'The receiver took the test' : `${trials.length} receivers took the test`
}

/** The addresses of e-mails, and the names of webhooks. */
function receiversText(
  { email, webhooks }: NotificationPolicy['mechanisms'],
  nameOf: (id: string) => string,
): string {
  const receivers = [...(email ?? []), ...(webhooks ?? [])]
  return receivers.map(({ id }) => nameOf(id)).join(', ') || 'No receivers'
}
