import { Alert, Button, Stack, Text } from '@mantine/core'
import { ApiFailure } from '../../../api/failure.ts'
import { isStale } from '../../../domain/ruleset/rules/use-save.ts'
import { FailureText } from '../../../ui/display/failure-text.tsx'
import { AlertIcon } from '../../../ui/display/icons.tsx'

interface Props {
  /** The missing input that prevents saving. */
  readonly missing: string | undefined
  readonly error: Error | null
  /** Rebases the form on the newest version after a change by someone else. */
  readonly onAgain: () => void
}

/** Why a rule was not saved. */
export function Troubles({ missing, error, onAgain }: Props) {
  return (
    <>
      {missing === undefined ? null : (
        <Alert color="red" icon={<AlertIcon />} role="alert" title="Incomplete">
          {missing}
        </Alert>
      )}
      {error === null ? null : <SaveFailure error={error} onAgain={onAgain} />}
    </>
  )
}

function SaveFailure({ error, onAgain }: { readonly error: Error; readonly onAgain: () => void }) {
  if (!isStale(error))
    return (
      <Alert color="red" icon={<AlertIcon />} role="alert" title="Failed to save">
        <FailureText error={error} />
      </Alert>
    )
  const [entry] = error instanceof ApiFailure ? error.entries : []
  return (
    <Alert color="yellow" icon={<AlertIcon />} role="alert" title="Rules changed by someone else">
      <Stack gap="sm">
        <Text size="sm" className="wrap">
          {entry?.message}
        </Text>
        <Text size="sm">
          Your input is kept, and their changes are loaded. Save again to add yours. If they changed this
          rule, your version replaces theirs.
        </Text>
        <Button w="fit-content" variant="default" onClick={onAgain}>
          Continue with the newest version
        </Button>
      </Stack>
    </Alert>
  )
}
