import { Alert, Button, Divider, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { AlertIcon } from '../../ui/display/icons.tsx'
import { Wordmark } from '../../ui/page/wordmark.tsx'
import { PasswordForm } from './password-form.tsx'
import classes from './sign-in-page.module.css'
import { TokenForm } from './token-form.tsx'

type Way = 'password' | 'token'

export default function SignInPage() {
  useDocumentTitle('Sign in · Sluice')
  const { to, failed } = useSearch({ strict: false }) as { readonly to?: string; readonly failed?: string }
  const router = useRouter()
  const ways = useRead('GET /sign_in')
  const [chosen, setChosen] = useState<Way>()
  // Right after the first start, there is only the administrator's token.
  const way = chosen ?? (ways.data?.password ? 'password' : 'token')
  const path = isOwnPath(to) ? to : '/'
  const onSession = () => router.history.push(path)
  return (
    <main className={classes['page']}>
      <Paper withBorder p="xl" radius="md" className={classes['card']}>
        <Stack gap="lg">
          <Wordmark />
          <Title order={1}>Sign in</Title>
          {failed === undefined ? null : <Failed reason={failed} />}
          {ways.data?.identity_provider ? <ProviderButton path={path} /> : null}
          <SegmentedControl
            aria-label="Sign in with"
            fullWidth
            data={[
              { value: 'password', label: 'Password' },
              { value: 'token', label: 'API token' },
            ]}
            value={way}
            onChange={value => setChosen(value as Way)}
          />
          {way === 'password' ? <PasswordForm onSession={onSession} /> : <TokenForm onSession={onSession} />}
        </Stack>
      </Paper>
    </main>
  )
}

/** Leaves the dashboard; the provider leads back. */
function ProviderButton({ path }: { readonly path: string }) {
  return (
    <>
      <Button
        component="a"
        href={`/client/v4/sign_in/oidc?${new URLSearchParams({ to: path })}`}
        variant="default"
        fullWidth
      >
        Sign in with SSO
      </Button>
      <Divider label="or" />
    </>
  )
}

const failures: Readonly<Record<string, string>> = {
  'not-a-member': 'You are not a member of an account here. Ask an administrator for an invitation.',
  'no-role': 'Your groups at the identity provider give you no role here. Ask an administrator.',
  'email-not-verified': 'The identity provider has not verified your e-mail address, or another user has it.',
  expired: 'The sign-in took too long, or began in another browser. Try again.',
}

function Failed({ reason }: { readonly reason: string }) {
  const text =
    failures[reason] ?? 'The identity provider did not answer, or refused. The Sluice log has the reason.'
  return (
    <Alert color="red" icon={<AlertIcon />} role="alert" title="Sign-in failed">
      <Text size="sm">{text}</Text>
    </Alert>
  )
}

/** Only addresses inside the dashboard. */
function isOwnPath(to: string | undefined): to is string {
  return to !== undefined && /^\/(?![/\\])/.test(to)
}
