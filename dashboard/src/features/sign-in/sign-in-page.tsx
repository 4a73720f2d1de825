import { Alert, Anchor, Button, Checkbox, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { ApiFailure, adviceOn } from '../../api/failure.ts'
import { beginSession } from '../../api/session.ts'
import { Wordmark } from '../../app/wordmark.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import classes from './sign-in-page.module.css'
import { verifyToken } from './verify-token.ts'

export default function SignInPage() {
  useDocumentTitle('Sign in · Sluice')
  const { to } = useSearch({ strict: false }) as { readonly to?: string }
  const router = useRouter()
  const [token, setToken] = useState('')
  const [keep, setKeep] = useState(false)
  const failureId = useId()
  const check = useMutation({
    mutationFn: verifyToken,
    onSuccess: async session => {
      beginSession(session, keep)
      await router.invalidate()
      router.history.push(isOwnPath(to) ? to : '/')
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (token.trim() !== '') check.mutate(token.trim())
  }
  return (
    <main className={classes['page']}>
      <Paper withBorder p="xl" radius="md" className={classes['card']}>
        <Stack gap="lg">
          <Wordmark />
          <div>
            <Title order={1}>Sign in</Title>
            <Text size="sm" c="dimmed" mt={4}>
              With an API token. What it may do, you may do here.
            </Text>
          </div>
          <form onSubmit={onSubmit}>
            <Stack>
              <PasswordInput
                label="Token"
                name="token"
                value={token}
                onChange={event => setToken(event.currentTarget.value)}
                autoComplete="off"
                autoFocus
                required
                withAsterisk={false}
                aria-describedby={check.isError ? failureId : undefined}
                error={check.isError}
                visibilityToggleButtonProps={{ 'aria-label': 'Show the token', tabIndex: 0 }}
              />
              <Checkbox
                label="Keep me signed in in this tab"
                description="Otherwise a reload signs you out."
                checked={keep}
                onChange={event => setKeep(event.currentTarget.checked)}
              />
              {check.isError ? (
                <Alert
                  id={failureId}
                  color="red"
                  icon={<AlertIcon />}
                  role="alert"
                  title={titleOf(check.error)}
                >
                  <Text size="sm">{textOf(check.error)}</Text>
                </Alert>
              ) : null}
              <Button type="submit" loading={check.isPending} fullWidth>
                Sign in
              </Button>
            </Stack>
          </form>
          <Stack gap="xs" className={classes['hint']}>
            <Text size="sm" c="dimmed">
              The administrator’s token was printed at the first start, and lies in the data directory:
            </Text>
            <CodeBlock text="cat data/admin-token" what="the command that shows the token" />
            <Text size="sm" c="dimmed">
              Everything here is a call of the{' '}
              <Anchor href="/docs/api" inherit underline="always">
                public API
              </Anchor>
              . A first one:
            </Text>
            <CodeBlock text={firstCall()} what="a first call of the API" />
          </Stack>
        </Stack>
      </Paper>
    </main>
  )
}

function firstCall(): string {
  return `curl -H "Authorization: Bearer $(cat data/admin-token)" ${location.origin}/client/v4/zones`
}

function titleOf(error: Error): string {
  if (!(error instanceof ApiFailure)) return 'Not signed in'
  if (error.status === 0) return 'Sluice does not answer'
  return isUnknown(error) ? 'Sluice does not know this token' : 'Not signed in'
}

function textOf(error: Error): string {
  if (!(error instanceof ApiFailure)) return error.message
  if (isUnknown(error))
    return 'See that it was copied whole. Tokens are shown once, when they are made; a new value can be given with PUT /user/tokens/{id}/value or “npx sluice tokens”.'
  return `${error.message}. ${adviceOn(error)}`
}

/** A header that cannot be read (400) is a token with characters that no token has. */
function isUnknown({ status }: ApiFailure): boolean {
  return status === 401 || status === 400
}

/** Not an address of somewhere else. */
function isOwnPath(to: string | undefined): to is string {
  return to !== undefined && /^\/(?![/\\])/.test(to)
}
