import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { InstantSession } from '../../api/types.ts'
import { AlertIcon } from '../../ui/icons.tsx'
import { FailureState } from '../../ui/states.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
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

/** Why no lines come, and what can be done about it. */
export function StreamTrouble({ state, onTakeOver, onJoin }: TroubleProps) {
  if (state.kind === 'failed') return <FailureState title="No lines can be shown" error={state.error} />
  if (state.kind === 'waiting')
    return (
      <Text size="sm" c="dimmed" role="status">
        {`Interrupted: ${state.why}. It is tried again by itself.`}
      </Text>
    )
  if (state.kind !== 'taken') return null
  const { session } = state
  return (
    <Alert
      color="yellow"
      title="Somebody looks at other lines of this zone, or did a moment ago"
      icon={<AlertIcon />}
      role="alert"
    >
      <Stack gap="sm">
        <Text size="sm" className="wrap">
          A zone has one session at a time.{' '}
          {session.filter === '' ? 'Theirs has no filter' : `Theirs has the filter ${session.filter}`}
          {session.sample === 1 ? '.' : `, and one in ${session.sample} requests.`}
        </Text>
        <Group gap="xs">
          <Button size="xs" onClick={() => onJoin(session)}>
            See what they see
          </Button>
          <Button size="xs" variant="default" onClick={onTakeOver}>
            End theirs and use mine
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
