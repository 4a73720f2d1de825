import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '../../api/client.ts'
import type { RulesetDifference } from '../../history/compare.ts'
import { isSame } from '../../history/compare.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureText } from '../../ui/failure-text.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { Permitted } from '../../ui/permitted.tsx'
import { DifferenceList } from './difference-list.tsx'
import { type HistoryScope, useRestore } from './use-rulesets.ts'
import { writePermissions } from './write-permissions.ts'

interface Props {
  readonly scope: HistoryScope
  readonly phase: string
  readonly version: string
  /** False while what is shown may be of another version. */
  readonly isReady: boolean
  /** From what is in force to this version. */
  readonly difference: RulesetDifference
  readonly call: Call
  onRestored(): void
}

/** Makes an old version the newest one, after showing what that changes. */
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
              ? 'It has the same rules as what is in force: restoring it changes nothing.'
              : 'Its rules become a new version. Against what is in force, this changes:'}
          </Text>
          {isSame(difference) ? null : <DifferenceList scope={scope} difference={difference} />}
          {restore.isError ? (
            <Alert color="red" icon={<AlertIcon />} role="alert" title="Nothing was restored">
              <FailureText error={restore.error} />
            </Alert>
          ) : null}
          <ApiCall call={call} />
        </Stack>
      </ConfirmDialog>
    </>
  )
}
