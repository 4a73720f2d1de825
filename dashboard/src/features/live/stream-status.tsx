import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { InstantSession } from '../../api/types.ts'
import { AlertIcon } from '../../ui/display/icons.tsx'
import { StatusDot } from '../../ui/display/status-dot.tsx'
import { FailureState } from '../../ui/page/states.tsx'
import type { StreamState } from './stream.ts'

interface DotProps {
  readonly state: StreamState
  readonly paused: boolean
}

export function StreamDot({ state, paused }: DotProps) {
  if (state.kind === 'live') {
    if (paused) return <StatusDot tone="warn">Paused</StatusDot>
    return <StatusDot tone="good">Live</StatusDot>
  }
  if (state.kind === 'connecting') return <StatusDot tone="none">Connecting …</StatusDot>
  return <StatusDot tone="bad">{state.kind === 'waiting' ? 'Interrupted' : 'Not connected'}</StatusDot>
}

interface TroubleProps {
  readonly state: StreamState
  onTakeOver(): void
  onJoin(session: InstantSession): void
}

/** Why no lines arrive, and possible remedies. */
export function StreamTrouble({ state, onTakeOver, onJoin }: TroubleProps) {
  if (state.kind === 'failed')
    return <FailureState title="Failed to start the log stream" error={state.error} />
  if (state.kind === 'waiting')
    return (
      <Text size="sm" c="dimmed" role="status">
        {`Interrupted: ${state.why}. Reconnecting automatically.`}
      </Text>
    )
  if (state.kind !== 'taken') return null
  const { session } = state
  return (
    <Alert color="yellow" title="This zone has another active session" icon={<AlertIcon />} role="alert">
      <Stack gap="sm">
        <Text size="sm" className="wrap">
          A zone has one session at a time.{' '}
          {session.filter === ''
            ? 'The active session has no filter'
            : `The active session has the filter ${session.filter}`}
          {session.sample === 1 ? '.' : `, and one in ${session.sample} requests.`}
        </Text>
        <Group gap="xs">
          <Button size="xs" onClick={() => onJoin(session)}>
            Join session
          </Button>
          <Button size="xs" variant="default" onClick={onTakeOver}>
            End it and start mine
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
