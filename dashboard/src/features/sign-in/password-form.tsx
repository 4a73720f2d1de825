import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { ApiFailure, adviceOn } from '../../api/failure.ts'
import { beginUserSession } from '../../api/user-session.ts'
import { AlertIcon } from '../../ui/display/icons.tsx'

/** Code of the API: the password is right, and a one-time code is missing. */
const codeNeeded = 10381

/** Sign-in by e-mail and password, and by a one-time code when the user has two-factor authentication. */
export function PasswordForm({ onSession }: { readonly onSession: () => void }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [asksCode, setAsksCode] = useState(false)
  const signIn = useMutation({
    mutationFn: async () => {
      const body = { email: email.trim(), password, ...(asksCode ? { code: code.trim() } : {}) }
      await call('POST /sign_in', { body })
      await beginUserSession()
    },
    onSuccess: onSession,
    onError: error => setAsksCode(asks => asks || isCodeNeeded(error)),
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  const isRefused = signIn.isError && !isCodeNeeded(signIn.error)
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          autoFocus
          required
          withAsterisk={false}
          value={email}
          onChange={event => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={event => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
        />
        {asksCode ? <CodeField code={code} onChange={setCode} /> : null}
        {isRefused ? <Refusal error={signIn.error} /> : null}
        <Button type="submit" loading={signIn.isPending} fullWidth>
          Sign in
        </Button>
        <Text size="sm" c="dimmed">
          No password yet? Open your invitation, or ask an administrator for one.
        </Text>
      </Stack>
    </form>
  )
}

function CodeField({ code, onChange }: { readonly code: string; readonly onChange: (code: string) => void }) {
  return (
    <TextInput
      label="One-time code"
      description="From your authenticator app; or one of your recovery codes."
      name="code"
      autoComplete="one-time-code"
      autoFocus
      required
      withAsterisk={false}
      value={code}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

function Refusal({ error }: { readonly error: Error }) {
  return (
    <Alert color="red" icon={<AlertIcon />} role="alert" title="Sign-in failed">
      <Text size="sm">{error instanceof ApiFailure ? textOf(error) : error.message}</Text>
    </Alert>
  )
}

function textOf(error: ApiFailure): string {
  if (error.code === 10380) return 'Unknown e-mail or wrong password.'
  if (error.code === 10382) return 'The code is wrong, or was used already. Wait for the next one.'
  return `${error.message}. ${adviceOn(error)}`
}

function isCodeNeeded(error: Error): boolean {
  return error instanceof ApiFailure && error.code === codeNeeded
}
