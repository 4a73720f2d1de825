import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { OwnSignIn } from '../../api/types.ts'
import { passwordFault, passwordHint } from '../../domain/password/password.ts'
import { useChange } from '../../ui/controls/use-change.ts'
import { Section } from '../../ui/page/section.tsx'
import { CurrentPassword } from './current-password.tsx'

/** Sets the first password, or replaces it. */
export function PasswordSection({ signIn }: { readonly signIn: OwnSignIn }) {
  const isFixed = signIn.identity_provider && !signIn.password
  return (
    <Section
      title="Password"
      text={
        isFixed
          ? 'You sign in at the identity provider, which keeps your password.'
          : signIn.password
            ? 'A new password ends your other sessions.'
            : 'You have no password yet. With one, you sign in without a token.'
      }
    >
      {isFixed ? null : <PasswordForm hasPassword={signIn.password} />}
    </Section>
  )
}

function PasswordForm({ hasPassword }: { readonly hasPassword: boolean }) {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useChange('PUT /user/password', {
    done: 'Password set',
    failed: 'Failed to set the password',
    changes: ['GET /user/sign_in', 'GET /user/sessions', 'GET /sign_in'],
    onDone: () => {
      setCurrent('')
      setPassword('')
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ body: { ...(hasPassword ? { current_password: current } : {}), password } })
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack maw={420}>
        {hasPassword ? <CurrentPassword value={current} onChange={setCurrent} /> : null}
        <PasswordInput
          label="New password"
          description={passwordHint}
          autoComplete="new-password"
          value={password}
          onChange={event => setPassword(event.currentTarget.value)}
          error={password === '' ? undefined : passwordFault(password)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show new password', tabIndex: 0 }}
        />
        <Group>
          <Button
            type="submit"
            loading={change.isPending}
            disabled={passwordFault(password) !== undefined || (hasPassword && current === '')}
          >
            {hasPassword ? 'Change password' : 'Set password'}
          </Button>
          <Text size="sm" c="dimmed">
            {hasPassword ? '' : 'Then sign in with your e-mail address.'}
          </Text>
        </Group>
      </Stack>
    </form>
  )
}
