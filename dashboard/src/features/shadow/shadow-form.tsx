import { Button, Group, NativeSelect, NumberInput, Slider, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { describeCall } from '../../api/client.ts'
import type { PutShadowBody, Shadow } from '../../api/types.ts'
import { thresholdLabel, thresholds } from '../../domain/ruleset/owasp/words.ts'
import { shadowKey } from '../../domain/ruleset/use-shadow.ts'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { useChange } from '../../ui/controls/use-change.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { Section } from '../../ui/page/section.tsx'
import { FailureState } from '../../ui/page/states.tsx'
import type { Releases } from './releases.ts'

interface Props {
  readonly zoneId: string
  readonly releases: Releases
  /** The shadow to edit; undefined starts a new one. */
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

/** Settings of a shadow, and its share of the traffic. */
export function ShadowForm({ zoneId, releases, shadow, onDone, onCancel }: Props) {
  const [body, setBody] = useState<PutShadowBody>(() => (shadow === undefined ? begin : bodyOf(shadow)))
  const change = (part: Partial<PutShadowBody>) => setBody({ ...body, ...part })
  const input = { path: { zone_id: zoneId }, body }
  const save = useChange(putShadow, {
    done: shadow === undefined ? 'Shadow started' : 'Shadow saved',
    failed: 'Failed to save shadow',
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
      title={shadow === undefined ? 'Start a shadow' : 'Edit shadow'}
      text="The shadow evaluates requests that reach the managed rules a second time, after the response. This doubles their CPU cost: start with a small share."
    >
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="md" maw={560}>
          <WhatToTry body={body} releases={releases} onChange={change} />
          <ThresholdField
            value={body.score_threshold}
            onChange={score_threshold => change({ score_threshold })}
          />
          <ShareField share={body.sample_rate} onChange={sample_rate => change({ sample_rate })} />
          {save.isError ? <FailureState title="Failed to save shadow" error={save.error} /> : null}
          <ApiCall call={describeCall(putShadow, input)} />
          <Group gap="sm">
            <Permitted needs="zoneWaf write">
              {barred => (
                <Button type="submit" loading={save.isPending} disabled={!isWhole} {...barred}>
                  {shadow === undefined ? 'Start shadow' : 'Save'}
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

interface TryProps {
  readonly body: PutShadowBody
  readonly releases: Releases
  onChange(part: Partial<PutShadowBody>): void
}

function WhatToTry({ body, releases, onChange }: TryProps) {
  return (
    <>
      <NativeSelect
        label="Release"
        value={body.version}
        onChange={event => onChange({ version: event.currentTarget.value })}
        data={[
          { value: 'latest', label: 'Latest: the active release' },
          ...[...releases].map(([value, label]) => ({ value, label })),
        ]}
      />
      <NativeSelect
        label="Paranoia level"
        description="Rules of higher levels are disabled."
        value={String(body.paranoia_level)}
        onChange={event => onChange({ paranoia_level: Number(event.currentTarget.value) })}
        data={['1', '2', '3', '4'].map(value => ({ value, label: `PL${value}` }))}
      />
    </>
  )
}

function ThresholdField({ value, onChange }: { readonly value: number; onChange(value: number): void }) {
  return (
    <Group align="flex-end" gap="xs">
      <NumberInput
        label="Score threshold"
        description="At a low threshold, few matching rules suffice."
        w={{ base: '100%', xs: 280 }}
        min={1}
        max={2 ** 31 - 1}
        allowDecimal={false}
        value={value}
        onChange={next => onChange(Number(next))}
        error={value >= 1 ? undefined : 'Enter a whole number, 1 or more'}
      />
      {thresholds.map(({ name, value: each }) => (
        <Button key={name} variant="default" onClick={() => onChange(each)}>
          {thresholdLabel(each)}
        </Button>
      ))}
    </Group>
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

/** Steps of the slider, dense for small shares, which suit busy zones. */
const shares = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

export function shareText(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`
}

function ShareField({ share, onChange }: { readonly share: number; onChange(share: number): void }) {
  const at = shares.findLastIndex(each => each <= share)
  return (
    <div>
      <Text size="sm" fw={500} id="shadow-share">
        Share of requests: {shareText(share)}
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
