import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import type { UserSession } from '../../api/types.ts'
import { useChange } from '../../ui/controls/use-change.ts'
import { momentText } from '../../ui/display/local-time.ts'
import { Section } from '../../ui/page/section.tsx'
import { FailureState } from '../../ui/page/states.tsx'

/** The browsers that are signed in as the user. */
export function SessionsSection() {
  const sessions = useRead('GET /user/sessions')
  return (
    <Section
      title="Sessions"
      text="A session ends after 12 hours without a request, and after 7 days at the latest."
    >
      {sessions.isError ? <FailureState title="Failed to load sessions" error={sessions.error} /> : null}
      {sessions.isPending ? <Skeleton h={60} /> : null}
      {sessions.data?.length === 0 ? (
        <Text size="sm">There are none: you signed in with a token.</Text>
      ) : null}
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {sessions.data?.map(session => (
          <SessionRow key={session.id} session={session} />
        ))}
      </Stack>
    </Section>
  )
}

function SessionRow({ session }: { readonly session: UserSession }) {
  const end = useChange('DELETE /user/sessions/{session_id}', {
    done: 'Session ended',
    failed: 'Failed to end the session',
    changes: ['GET /user/sessions'],
  })
  return (
    <Group component="li" justify="space-between" wrap="nowrap">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={550} className="cut">
          {session.current ? 'This session' : session.agent || 'Unknown browser'}
        </Text>
        <Text size="xs" c="dimmed">
          from {session.address}, last used {momentText(session.last_used_on)}
        </Text>
      </div>
      {session.current ? null : (
        <Button
          variant="default"
          size="compact-sm"
          loading={end.isPending}
          onClick={() => end.mutate({ path: { session_id: session.id } })}
        >
          End
        </Button>
      )}
    </Group>
  )
}
