import { Alert, Anchor, Button, Checkbox, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { ApiFailure, adviceOn } from '../../api/failure.ts'
import { beginSession } from '../../api/session.ts'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { AlertIcon } from '../../ui/display/icons.tsx'
import classes from './sign-in-page.module.css'
import { verifyToken } from './verify-token.ts'

/** Sign-in by a token, whose permissions apply. */
export function TokenForm({ onSession }: { readonly onSession: () => void }) {
  const [token, setToken] = useState('')
  const [keep, setKeep] = useState(false)
  const failureId = useId()
  const check = useMutation({
    mutationFn: verifyToken,
    onSuccess: async session => {
      beginSession(session, keep)
      await onSession()
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (token.trim() !== '') check.mutate(token.trim())
  }
  return (
    <>
      <form onSubmit={onSubmit}>
        <Stack>
          <PasswordInput
            label="Token"
            description="Its permissions apply here."
            name="token"
            value={token}
            onChange={event => setToken(event.currentTarget.value)}
            autoComplete="off"
            autoFocus
            required
            withAsterisk={false}
            aria-describedby={check.isError ? failureId : undefined}
            error={check.isError}
            visibilityToggleButtonProps={{ 'aria-label': 'Show token', tabIndex: 0 }}
          />
          <Checkbox
            label="Stay signed in on this tab"
            description="Otherwise a reload signs you out."
            checked={keep}
            onChange={event => setKeep(event.currentTarget.checked)}
          />
          {check.isError ? <Refusal id={failureId} error={check.error} /> : null}
          <Button type="submit" loading={check.isPending} fullWidth>
            Sign in
          </Button>
        </Stack>
      </form>
      <Hint />
    </>
  )
}

function Refusal({ id, error }: { readonly id: string; readonly error: Error }) {
  return (
    <Alert id={id} color="red" icon={<AlertIcon />} role="alert" title={titleOf(error)}>
      <Text size="sm">{textOf(error)}</Text>
    </Alert>
  )
}

/** Location of the first token, and a first API call. */
function Hint() {
  return (
    <Stack gap="xs" className={classes['hint']}>
      <Text size="sm" c="dimmed">
        The first start printed the administrator’s token. It is also in the data directory:
      </Text>
      <CodeBlock text="cat data/admin-token" what="command to show the token" />
      <Text size="sm" c="dimmed">
        The dashboard only uses the{' '}
        <Anchor href="/docs/api" inherit underline="always">
          public API
        </Anchor>
        . Example:
      </Text>
      <CodeBlock text={firstCall()} what="example API call" />
    </Stack>
  )
}

function firstCall(): string {
  return `curl -H "Authorization: Bearer $(cat data/admin-token)" ${location.origin}/client/v4/zones`
}

function titleOf(error: Error): string {
  if (!(error instanceof ApiFailure)) return 'Sign-in failed'
  if (error.status === 0) return 'Sluice does not respond'
  return isUnknown(error) ? 'Invalid token' : 'Sign-in failed'
}

function textOf(error: Error): string {
  if (!(error instanceof ApiFailure)) return error.message
  if (isUnknown(error))
    return 'Check that you copied all of it. A token is shown only once; create a new value with PUT /user/tokens/{id}/value or “npx sluice tokens”.'
  return `${error.message}. ${adviceOn(error)}`
}

/** Status 400: the token contains characters that no token has. */
function isUnknown({ status }: ApiFailure): boolean {
  return status === 401 || status === 400
}
