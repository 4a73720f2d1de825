import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { shadowKey } from '../../api/shadow.ts'
import type { Shadow } from '../../api/types.ts'
import { thresholdLabel } from '../../managed/words.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { PauseIcon, PlayIcon } from '../../ui/icons.tsx'
import { LinkButton } from '../../ui/links.tsx'
import { momentText } from '../../ui/local-time.ts'
import { Permitted } from '../../ui/permitted.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { type Releases, releaseText } from './releases.ts'
import { bodyOf, putShadow, ShadowForm, shareText } from './shadow-form.tsx'

interface Props {
  readonly zoneId: string
  readonly shadow: Shadow
  readonly releases: Releases
}

/** What the shadow tries, and the controls to change, pause and stop it. */
export function RunningShadow({ zoneId, shadow, releases }: Props) {
  const [changing, setChanging] = useState(false)
  if (changing) {
    const close = () => setChanging(false)
    return <ShadowForm zoneId={zoneId} releases={releases} shadow={shadow} onDone={close} onCancel={close} />
  }
  const { enabled, version, paranoia_level, score_threshold, sample_rate, modified_on } = shadow
  return (
    <Section
      title={enabled ? 'The shadow runs' : 'The shadow is paused'}
      actions={<Actions zoneId={zoneId} shadow={shadow} onChange={() => setChanging(true)} />}
    >
      <Text size="sm" component="div">
        <StatusDot tone={enabled ? 'good' : 'none'}>
          {`${enabled ? 'Running' : 'Paused'} since ${momentText(modified_on)}`}
        </StatusDot>
      </Text>
      <Text size="sm">
        On {shareText(sample_rate)} of the requests it evaluates PL{paranoia_level} of{' '}
        {releaseText(version, releases)} with the threshold {thresholdLabel(score_threshold)}.
      </Text>
    </Section>
  )
}

interface ActionsProps {
  readonly zoneId: string
  readonly shadow: Shadow
  onChange(): void
}

function Actions({ zoneId, shadow, onChange }: ActionsProps) {
  const [stopping, setStopping] = useState(false)
  const { enabled } = shadow
  const pause = useChange(putShadow, {
    done: enabled ? 'The shadow is paused' : 'The shadow runs',
    failed: 'The shadow was not changed',
    changes: [shadowKey],
  })
  return (
    <Group gap="xs">
      <LinkButton to={`/zones/${zoneId}/managed`} variant="subtle">
        To the managed ruleset
      </LinkButton>
      <Permitted needs="zoneWaf write">
        {barred => (
          <Button variant="default" onClick={onChange} {...barred}>
            Change
          </Button>
        )}
      </Permitted>
      <Permitted needs="zoneWaf write">
        {barred => (
          <Button
            variant="default"
            leftSection={enabled ? <PauseIcon size={16} /> : <PlayIcon size={16} />}
            loading={pause.isPending}
            onClick={() =>
              pause.mutate({ path: { zone_id: zoneId }, body: { ...bodyOf(shadow), enabled: !enabled } })
            }
            {...barred}
          >
            {enabled ? 'Pause' : 'Resume'}
          </Button>
        )}
      </Permitted>
      <Permitted needs="zoneWaf write">
        {barred => (
          <Button variant="default" onClick={() => setStopping(true)} {...barred}>
            Stop…
          </Button>
        )}
      </Permitted>
      <StopDialog zoneId={zoneId} opened={stopping} onClose={() => setStopping(false)} />
    </Group>
  )
}

interface StopProps {
  readonly zoneId: string
  readonly opened: boolean
  onClose(): void
}

function StopDialog({ zoneId, opened, onClose }: StopProps) {
  const key = 'DELETE /zones/{zone_id}/waf/shadow'
  const input = { path: { zone_id: zoneId } }
  const stop = useChange(key, {
    done: 'The shadow is stopped',
    failed: 'The shadow was not stopped',
    changes: [shadowKey],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={opened}
      title="Stop the shadow?"
      action="Stop it"
      danger
      pending={stop.isPending}
      onConfirm={() => stop.mutate(input)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          Its settings go. What it found stays in the events for as long as they are kept. Pause it to keep
          the settings.
        </Text>
        <ApiCall call={describeCall(key, input)} />
      </Stack>
    </ConfirmDialog>
  )
}
