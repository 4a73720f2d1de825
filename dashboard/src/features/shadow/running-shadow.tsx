import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { describeCall } from '../../api/client.ts'
import type { Shadow } from '../../api/types.ts'
import { thresholdLabel } from '../../domain/ruleset/owasp/words.ts'
import { shadowKey } from '../../domain/ruleset/use-shadow.ts'
import { ConfirmDialog } from '../../ui/controls/confirm-dialog.tsx'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { useChange } from '../../ui/controls/use-change.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { PauseIcon, PlayIcon } from '../../ui/display/icons.tsx'
import { momentText } from '../../ui/display/local-time.ts'
import { StatusDot } from '../../ui/display/status-dot.tsx'
import { LinkButton } from '../../ui/page/links.tsx'
import { Section } from '../../ui/page/section.tsx'
import { type Releases, releaseText } from './releases.ts'
import { bodyOf, putShadow, ShadowForm, shareText } from './shadow-form.tsx'

interface Props {
  readonly zoneId: string
  readonly shadow: Shadow
  readonly releases: Releases
}

/** Settings of the shadow, with controls to edit, pause and delete it. */
export function RunningShadow({ zoneId, shadow, releases }: Props) {
  const [changing, setChanging] = useState(false)
  if (changing) {
    const close = () => setChanging(false)
    return <ShadowForm zoneId={zoneId} releases={releases} shadow={shadow} onDone={close} onCancel={close} />
  }
  const { enabled, version, paranoia_level, score_threshold, sample_rate, modified_on } = shadow
  return (
    <Section
      title={enabled ? 'Shadow running' : 'Shadow paused'}
      actions={<Actions zoneId={zoneId} shadow={shadow} onChange={() => setChanging(true)} />}
    >
      <Text size="sm" component="div">
        <StatusDot tone={enabled ? 'good' : 'none'}>
          {`${enabled ? 'Running' : 'Paused'} since ${momentText(modified_on)}`}
        </StatusDot>
      </Text>
      <Text size="sm">
        Evaluates {shareText(sample_rate)} of the requests with PL{paranoia_level} of{' '}
        {releaseText(version, releases)} at threshold {thresholdLabel(score_threshold)}.
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
    done: enabled ? 'Shadow paused' : 'Shadow resumed',
    failed: 'Failed to change shadow',
    changes: [shadowKey],
  })
  return (
    <Group gap="xs">
      <LinkButton to={`/zones/${zoneId}/managed`} variant="subtle">
        Managed ruleset
      </LinkButton>
      <Permitted needs="zoneWaf write">
        {barred => (
          <Button variant="default" onClick={onChange} {...barred}>
            Edit
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
            Delete…
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
    done: 'Shadow deleted',
    failed: 'Failed to delete shadow',
    changes: [shadowKey],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete shadow?"
      action="Delete"
      danger
      pending={stop.isPending}
      onConfirm={() => stop.mutate(input)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          This deletes its settings. Its results stay in Events for their retention time. To keep the
          settings, pause the shadow instead.
        </Text>
        <ApiCall call={describeCall(key, input)} />
      </Stack>
    </ConfirmDialog>
  )
}
