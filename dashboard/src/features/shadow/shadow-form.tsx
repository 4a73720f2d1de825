import { Button, Group, NativeSelect, NumberInput, Slider, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { describeCall } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { shadowKey } from '../../api/shadow.ts'
import type { PutShadowBody, Shadow } from '../../api/types.ts'
import { thresholdLabel, thresholds } from '../../managed/words.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { Permitted } from '../../ui/permitted.tsx'
import { Section } from '../../ui/section.tsx'
import { FailureState } from '../../ui/states.tsx'
import type { Releases } from './releases.ts'

interface Props {
  readonly zoneId: string
  readonly releases: Releases
  /** What is changed; without it a shadow is started. */
  readonly shadow?: Shadow
  onDone?(): void
  onCancel?(): void
}

export const putShadow = 'PUT /zones/{zone_id}/waf/shadow'

const begin: PutShadowBody = {
  enabled: true,
  version: 'latest',
  paranoia_level: 4,
  score_threshold: 40,
  sample_rate: 0.1,
}

/** What the shadow tries, and on how much of the traffic. */
export function ShadowForm({ zoneId, releases, shadow, onDone, onCancel }: Props) {
  const [body, setBody] = useState<PutShadowBody>(() => (shadow === undefined ? begin : bodyOf(shadow)))
  const change = (part: Partial<PutShadowBody>) => setBody({ ...body, ...part })
  const input = { path: { zone_id: zoneId }, body }
  const save = useChange(putShadow, {
    done: shadow === undefined ? 'The shadow runs' : 'The shadow is changed',
    failed: 'The shadow was not set',
    changes: [shadowKey],
    quietFailure: true,
    ...(onDone === undefined ? {} : { onDone }),
  })
  const isWhole = Number.isInteger(body.score_threshold) && body.score_threshold >= 1 && body.sample_rate > 0
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isWhole && !save.isPending) save.mutate(input)
  }
  return (
    <Section
      title={shadow === undefined ? 'Start a shadow' : 'Change the shadow'}
      text="Requests that come as far as the managed rules are evaluated a second time, after they were answered. Doing so twice costs twice the processor: begin with a small share."
    >
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="md" maw={560}>
          <NativeSelect
            label="Release"
            value={body.version}
            onChange={event => change({ version: event.currentTarget.value })}
            data={[
              { value: 'latest', label: 'Latest: the release in use' },
              ...[...releases].map(([value, label]) => ({ value, label })),
            ]}
          />
          <NativeSelect
            label="Paranoia level"
            description="Rules of the levels above it are off."
            value={String(body.paranoia_level)}
            onChange={event => change({ paranoia_level: Number(event.currentTarget.value) })}
            data={['1', '2', '3', '4'].map(value => ({ value, label: `PL${value}` }))}
          />
          <Group align="flex-end" gap="xs">
            <NumberInput
              label="Score threshold"
              description="A low number means that few rules have to match."
              w={{ base: '100%', xs: 280 }}
              min={1}
              max={2 ** 31 - 1}
              allowDecimal={false}
              value={body.score_threshold}
              onChange={value => change({ score_threshold: Number(value) })}
              error={body.score_threshold >= 1 ? undefined : 'A whole number, 1 or more'}
            />
            {thresholds.map(({ name, value }) => (
              <Button key={name} variant="default" onClick={() => change({ score_threshold: value })}>
                {thresholdLabel(value)}
              </Button>
            ))}
          </Group>
          <ShareField share={body.sample_rate} onChange={sample_rate => change({ sample_rate })} />
          {save.isError ? <FailureState title="The shadow was not set" error={save.error} /> : null}
          <ApiCall call={describeCall(putShadow, input)} />
          <Group gap="sm">
            <Permitted needs="zoneWaf write">
              {barred => (
                <Button type="submit" loading={save.isPending} disabled={!isWhole} {...barred}>
                  {shadow === undefined ? 'Start the shadow' : 'Change it'}
                </Button>
              )}
            </Permitted>
            {onCancel === undefined ? null : (
              <Button variant="default" onClick={onCancel}>
                Cancel
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

export function bodyOf({
  enabled,
  version,
  paranoia_level,
  score_threshold,
  sample_rate,
}: Shadow): PutShadowBody {
  return { enabled, version, paranoia_level, score_threshold, sample_rate }
}

/** Steps of the slider: small shares are what busy zones need. */
const shares = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

export function shareText(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`
}

function ShareField({ share, onChange }: { readonly share: number; onChange(share: number): void }) {
  const at = shares.findLastIndex(each => each <= share)
  return (
    <div>
      <Text size="sm" fw={500} id="shadow-share">
        Share of the requests: {shareText(share)}
      </Text>
      <Slider
        mt="xs"
        min={0}
        max={shares.length - 1}
        step={1}
        value={Math.max(0, at)}
        onChange={step => onChange(shares[step]!)}
        label={step => shareText(shares[step]!)}
        thumbProps={{ 'aria-labelledby': 'shadow-share', 'aria-valuetext': shareText(share) }}
      />
    </div>
  )
}
