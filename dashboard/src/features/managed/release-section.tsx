import { NativeSelect, Text } from '@mantine/core'
import type { RulesetSummary } from '../../api/types.ts'
import { crsVersionOf } from '../../managed/document.ts'
import { Section } from '../../ui/section.tsx'

interface Props {
  readonly version: string
  readonly latestVersion: string
  readonly versions: readonly RulesetSummary[]
  readonly isGone: boolean
  readonly disabled: boolean
  onChange(version: string): void
}

/** Which CRS release runs. */
export function ReleaseSection({ version, latestVersion, versions, isGone, disabled, onChange }: Props) {
  const latest = versions.find(each => each.version === latestVersion)
  const choices = versions.toReversed().map(each => ({ value: each.version, label: nameOf(each) }))
  return (
    <Section
      title="Release"
      text="Which release of the OWASP Core Rule Set inspects the requests of this zone."
    >
      <NativeSelect
        aria-label="Release"
        maw={480}
        disabled={disabled}
        value={version}
        onChange={event => onChange(event.currentTarget.value)}
        data={[
          { value: 'latest', label: `Latest (now ${latest === undefined ? 'none' : crsText(latest)})` },
          ...choices,
          ...(isGone ? [{ value: version, label: `Version ${version}, which is not here any more` }] : []),
        ]}
        error={isGone ? 'This version is not here any more. Choose another one.' : undefined}
      />
      <Text size="sm" aria-live="polite">
        {version === 'latest'
          ? 'A release that is imported is in force within a second. What was switched off stays off.'
          : 'The zone stays on this release until you choose another one.'}
      </Text>
    </Section>
  )
}

function crsText(version: RulesetSummary): string {
  const crs = crsVersionOf(version)
  return crs === undefined ? `version ${version.version}` : `CRS ${crs}`
}

function nameOf(version: RulesetSummary): string {
  const day = new Date(version.last_updated).toLocaleDateString()
  return `${crsText(version)} (version ${version.version}, imported ${day})`
}
