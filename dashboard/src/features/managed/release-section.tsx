import { NativeSelect, Text } from '@mantine/core'
import type { RulesetSummary } from '../../api/types.ts'
import { crsVersionOf } from '../../domain/ruleset/owasp/document.ts'
import { Section } from '../../ui/page/section.tsx'

interface Props {
  readonly version: string
  readonly latestVersion: string
  readonly versions: readonly RulesetSummary[]
  readonly isGone: boolean
  readonly disabled: boolean
  onChange(version: string): void
}

/** Selects the CRS release. */
export function ReleaseSection({ version, latestVersion, versions, isGone, disabled, onChange }: Props) {
  const latest = versions.find(each => each.version === latestVersion)
  const choices = versions.toReversed().map(each => ({ value: each.version, label: nameOf(each) }))
  return (
    <Section title="Release" text="The release of the OWASP Core Rule Set for this zone.">
      <NativeSelect
        aria-label="Release"
        maw={480}
        disabled={disabled}
        value={version}
        onChange={event => onChange(event.currentTarget.value)}
        data={[
          { value: 'latest', label: `Latest (now ${latest === undefined ? 'none' : crsText(latest)})` },
          ...choices,
          ...(isGone ? [{ value: version, label: `Version ${version} (deleted)` }] : []),
        ]}
        error={isGone ? 'This version was deleted. Select another one.' : undefined}
      />
      <Text size="sm" aria-live="polite">
        {version === 'latest'
          ? 'A newly activated release applies within a second. Disabled rules stay disabled.'
          : 'The zone stays on this release until you select another one.'}
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
