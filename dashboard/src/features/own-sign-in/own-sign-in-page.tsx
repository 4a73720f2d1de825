import { Skeleton, Stack } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { FailureState } from '../../ui/page/states.tsx'
import { PasswordSection } from './password-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TwoFactorSection } from './two-factor-section.tsx'

/** How the user of this page signs in. */
export default function OwnSignInPage() {
  const user = useRead('GET /user')
  const signIn = useRead('GET /user/sign_in')
  const error = user.error ?? signIn.error
  return (
    <>
      <PageHeader title="Your sign-in" text={user.data?.email} />
      {error !== null ? (
        <FailureState title="This needs your own session" error={error} />
      ) : signIn.data === undefined ? (
        <Skeleton h={240} />
      ) : (
        <Stack gap="md">
          <PasswordSection signIn={signIn.data} />
          <TwoFactorSection signIn={signIn.data} />
          <SessionsSection />
        </Stack>
      )}
    </>
  )
}
