import type { RulesetSummary } from '../../api/types.ts'
import { crsVersionOf } from '../../domain/ruleset/owasp/document.ts'

/** Version of the managed ruleset → its display name; newest first. */
export type Releases = ReadonlyMap<string, string>

export function releasesOf(versions: readonly RulesetSummary[]): Releases {
  return new Map(
    versions
      .toSorted((a, b) => Number(b.version) - Number(a.version))
      .map(each => [each.version, nameOf(each)]),
  )
}

function nameOf(version: RulesetSummary): string {
  const crs = crsVersionOf(version)
  return crs === undefined ? `Version ${version.version}` : `CRS ${crs} (version ${version.version})`
}

export function releaseText(version: string, releases: Releases): string {
  return version === 'latest' ? 'the active release' : (releases.get(version) ?? `version ${version}`)
}
