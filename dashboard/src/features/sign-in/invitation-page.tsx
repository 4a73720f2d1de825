import { Alert, Button, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { beginUserSession } from '../../api/user-session.ts'
import { passwordFault, passwordHint } from '../../domain/password/password.ts'
import { AlertIcon } from '../../ui/display/icons.tsx'
import { Wordmark } from '../../ui/page/wordmark.tsx'
import classes from './sign-in-page.module.css'

/** Takes the password of an invited user. The secret is in the fragment of the address, which browsers send nowhere. */
export default function InvitationPage() {
  useDocumentTitle('Invitation · Sluice')
  const secret = useRouterState({ select: state => state.location.hash })
  const router = useRouter()
  const [password, setPassword] = useState('')
  const accept = useMutation({
    mutationFn: async () => {
      await call('POST /sign_in/invitation', { body: { secret, password } })
      await beginUserSession()
    },
    onSuccess: async () => {
      await router.invalidate()
      router.history.replace('/')
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (passwordFault(password) === undefined) accept.mutate()
  }
  return (
    <main className={classes['page']}>
      <Paper withBorder p="xl" radius="md" className={classes['card']}>
        <Stack gap="lg">
          <Wordmark />
          <Title order={1}>Choose a password</Title>
          <form onSubmit={onSubmit}>
            <Stack>
              <PasswordInput
                label="New password"
                description={passwordHint}
                name="password"
                autoComplete="new-password"
                autoFocus
                required
                withAsterisk={false}
                value={password}
                onChange={event => setPassword(event.currentTarget.value)}
                error={password === '' ? undefined : passwordFault(password)}
                visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
              />
              {accept.isError ? (
                <Alert color="red" icon={<AlertIcon />} role="alert" title="The invitation does not work">
                  <Text size="sm">{accept.error.message}</Text>
                </Alert>
              ) : null}
              <Button type="submit" loading={accept.isPending} fullWidth>
                Set password and sign in
              </Button>
            </Stack>
          </form>
        </Stack>
      </Paper>
    </main>
  )
}
