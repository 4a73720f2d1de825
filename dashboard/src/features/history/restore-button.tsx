import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '../../api/client.ts'
import type { RulesetDifference } from '../../domain/history/compare.ts'
import { isSame } from '../../domain/history/compare.ts'
import { ConfirmDialog } from '../../ui/controls/confirm-dialog.tsx'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { FailureText } from '../../ui/display/failure-text.tsx'
import { AlertIcon } from '../../ui/display/icons.tsx'
import { DifferenceList } from './difference-list.tsx'
import { type HistoryScope, useRestore } from './use-rulesets.ts'
import { writePermissions } from './write-permissions.ts'

interface Props {
  readonly scope: HistoryScope
  readonly phase: string
  readonly version: string
  /** False while the displayed data may be of another version. */
  readonly isReady: boolean
  /** Differences from the active version to this one. */
  readonly difference: RulesetDifference
  readonly call: Call
  onRestored(): void
}

/** Restores an old version, after showing the differences. */
export function RestoreButton({ scope, phase, version, isReady, difference, call, onRestored }: Props) {
  const [opened, setOpened] = useState(false)
  const close = () => {
    setOpened(false)
    restore.reset()
  }
  const restore = useRestore(() => {
    setOpened(false)
    onRestored()
  })
  return (
    <>
      <Permitted needs={writePermissions(scope.kind, phase)}>
        {barred => (
          <Button onClick={() => setOpened(true)} {...barred}>
            Restore version {version}
          </Button>
        )}
      </Permitted>
      <ConfirmDialog
        opened={opened}
        title={`Restore version ${version}?`}
        action="Restore"
        pending={restore.isPending || !isReady}
        onConfirm={() => restore.mutate(call)}
        onClose={close}
      >
        <Stack gap="sm">
          <Text size="sm">
            {isSame(difference)
              ? 'This version has the same rules as the active one: restoring it changes nothing.'
              : 'Its rules become a new version. Changes to the active version:'}
          </Text>
          {isSame(difference) ? null : <DifferenceList scope={scope} difference={difference} />}
          {restore.isError ? (
            <Alert color="red" icon={<AlertIcon />} role="alert" title="Restore failed">
              <FailureText error={restore.error} />
            </Alert>
          ) : null}
          <ApiCall call={call} />
        </Stack>
      </ConfirmDialog>
    </>
  )
}
