import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { OwnSignIn, TotpSecret } from '../../api/types.ts'
import { useChange } from '../../ui/controls/use-change.ts'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { StatusDot } from '../../ui/display/status-dot.tsx'
import { Section } from '../../ui/page/section.tsx'
import { CurrentPassword } from './current-password.tsx'
import { QrCode } from './qr-code.tsx'

const changes = ['GET /user', 'GET /user/sign_in', 'GET /user/sessions'] as const

/** One-time codes of an authenticator app, beside the password. */
export function TwoFactorSection({ signIn }: { readonly signIn: OwnSignIn }) {
  const [totp, setTotp] = useState<TotpSecret>()
  const [codes, setCodes] = useState<readonly string[]>()
  const isOn = signIn.two_factor_authentication
  return (
    <Section
      title="Two-factor authentication"
      text="A sign-in then also needs a code of an authenticator app."
      actions={<StatusDot tone={isOn ? 'good' : 'none'}>{isOn ? 'On' : 'Off'}</StatusDot>}
    >
      {signIn.password ? (
        isOn ? (
          <EndForm left={signIn.recovery_codes} />
        ) : totp === undefined ? (
          <BeginForm onTotp={setTotp} />
        ) : (
          <ConfirmForm
            totp={totp}
            onCodes={made => {
              setTotp(undefined)
              setCodes(made)
            }}
          />
        )
      ) : (
        <Text size="sm">It needs a password.</Text>
      )}
      <CodesDialog codes={codes} onClose={() => setCodes(undefined)} />
    </Section>
  )
}

function BeginForm({ onTotp }: { readonly onTotp: (totp: TotpSecret) => void }) {
  const [password, setPassword] = useState('')
  const begin = useChange('POST /user/two_factor_authentication', {
    done: 'Scan the code with your app',
    failed: 'Failed to begin',
    onDone: onTotp,
  })
  return (
    <ProofForm
      password={password}
      onPassword={setPassword}
      action="Set up an app"
      pending={begin.isPending}
      onSubmit={() => begin.mutate({ body: { password } })}
    />
  )
}

function EndForm({ left }: { readonly left: number }) {
  const [password, setPassword] = useState('')
  const end = useChange('DELETE /user/two_factor_authentication', {
    done: 'Two-factor authentication is off',
    failed: 'Failed to turn it off',
    changes,
  })
  return (
    <>
      <Text size="sm">{left} recovery codes are left.</Text>
      <ProofForm
        password={password}
        onPassword={setPassword}
        action="Turn off"
        pending={end.isPending}
        onSubmit={() => end.mutate({ body: { password } })}
      />
    </>
  )
}

interface ProofProps {
  readonly password: string
  readonly action: string
  readonly pending: boolean
  onPassword(password: string): void
  onSubmit(): void
}

function ProofForm({ password, action, pending, onPassword, onSubmit }: ProofProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        <CurrentPassword value={password} onChange={onPassword} />
        <Group>
          <Button type="submit" variant="default" loading={pending} disabled={password === ''}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface ConfirmProps {
  readonly totp: TotpSecret
  onCodes(codes: readonly string[]): void
}

function ConfirmForm({ totp, onCodes }: ConfirmProps) {
  const [code, setCode] = useState('')
  const confirm = useChange('PUT /user/two_factor_authentication', {
    done: 'Two-factor authentication is on',
    failed: 'Failed to confirm the app',
    changes,
    onDone: ({ recovery_codes }) => onCodes(recovery_codes),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate({ body: { code } })
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        <QrCode text={totp.uri} label="Secret for your authenticator app" />
        <Text size="sm">Or type this secret into the app:</Text>
        <CodeBlock text={totp.secret} what="secret" />
        <TextInput
          label="Code that the app shows"
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={6}
          value={code}
          onChange={event => setCode(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={confirm.isPending} disabled={!/^\d{6}$/.test(code)}>
            Turn on
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface CodesProps {
  readonly codes: readonly string[] | undefined
  onClose(): void
}

/** The only time that recovery codes are shown. */
function CodesDialog({ codes, onClose }: CodesProps) {
  return (
    <Modal
      opened={codes !== undefined}
      onClose={onClose}
      title="Save the recovery codes"
      closeOnClickOutside={false}
    >
      <Stack>
        <Text size="sm">
          Each recovery code replaces one authenticator code, once. They will not be shown again.
        </Text>
        <CodeBlock text={(codes ?? []).join('\n')} what="recovery codes" />
        <Group justify="flex-end">
          <Button onClick={onClose}>I have saved them</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
