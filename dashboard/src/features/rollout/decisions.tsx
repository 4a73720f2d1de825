import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { useSession } from '../../api/hooks.ts'
import type { Rollout } from '../../api/types.ts'
import { ConfirmDialog } from '../../ui/controls/confirm-dialog.tsx'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { useChange } from '../../ui/controls/use-change.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { actionsIn, actionWords, type RolloutAction } from './words.ts'

const key = 'POST /accounts/{account_id}/rollout'

/** The decisions that the state allows, each after a confirmation. */
export function Decisions({ state }: { readonly state: Rollout['state'] }) {
  const [asked, setAsked] = useState<RolloutAction>()
  return (
    <Group gap="xs">
      {actionsIn[state].map(action => (
        <Permitted key={action} needs="account write">
          {barred => (
            <Button variant="default" onClick={() => setAsked(action)} {...barred}>
              {actionWords[action].verb}
            </Button>
          )}
        </Permitted>
      ))}
      {asked === undefined ? null : <Decision action={asked} onClose={() => setAsked(undefined)} />}
    </Group>
  )
}

function Decision({ action, onClose }: { readonly action: RolloutAction; onClose(): void }) {
  const { accountId } = useSession()
  const { verb, done, effect } = actionWords[action]
  const input = { path: { account_id: accountId }, body: { action } }
  const change = useChange(key, {
    done,
    failed: `Failed: ${verb.toLowerCase()}`,
    changes: ['GET /accounts/{account_id}/rollout'],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened
      title={`${verb}?`}
      action={verb}
      danger={action !== 'retry'}
      pending={change.isPending}
      onConfirm={() => change.mutate(input)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">{effect}</Text>
        <ApiCall call={describeCall(key, input)} />
      </Stack>
    </ConfirmDialog>
  )
}
