import { isPermission } from '../../api/failure.ts'
import { useRead, useSession } from '../../api/hooks.ts'
import type { CrsRelease } from '../../api/types.ts'
import { compareVersions } from '../../domain/ruleset/owasp/compare-versions.ts'
import { Figure } from '../../ui/page/figure.tsx'
import { TextLink } from '../../ui/page/links.tsx'

/** The active CRS release, and newer releases: imported or upstream. */
export function CrsFigure() {
  const path = { account_id: useSession().accountId }
  const releases = useRead('GET /accounts/{account_id}/waf/crs_releases', { path })
  const upstream = useRead(
    'GET /accounts/{account_id}/waf/crs_releases/upstream',
    { path },
    { staleMs: 600_000, enabled: releases.isSuccess },
  )
  if (releases.error) {
    const note = isPermission(releases.error) ? 'Needs Account WAF Read' : releases.error.message
    return <Figure label={label} value="–" note={note} />
  }
  if (releases.data === undefined) return <Figure label={label} value={undefined} />
  const active = releases.data.find(release => release.active)
  if (active === undefined)
    return <Figure label={label} value="None" tone="warn" note="npx sluice crs sync" />
  const published = upstream.data?.crs_version ?? undefined
  return (
    <InUse release={active} releases={releases.data} published={published} isPending={upstream.isPending} />
  )
}

const label = 'OWASP CRS'

interface InUseProps {
  readonly release: CrsRelease
  readonly releases: readonly CrsRelease[]
  /** The newest version upstream; undefined when unknown. */
  readonly published: string | undefined
  readonly isPending: boolean
}

function InUse({ release, releases, published, isPending }: InUseProps) {
  const version = release.crs_version
  const imported = releases
    .map(release => release.crs_version)
    .toSorted(compareVersions)
    .at(-1)
  const isNewer = (other: string | undefined): other is string =>
    other !== undefined && compareVersions(other, version) > 0
  if (isNewer(published) && published !== imported)
    return (
      <Figure
        label={label}
        value={version}
        tone="warn"
        note={<Note text={`${published} is available.`} link="Import" />}
      />
    )
  if (isNewer(imported)) {
    const note = <Note text={`${imported} is imported but not active.`} link="Compare" />
    return <Figure label={label} value={version} tone="warn" note={note} />
  }
  const year = release.released_year ?? undefined
  const isOld = year !== undefined && new Date().getUTCFullYear() - year >= 2
  const age = isOld ? `Outdated release from ${year}. ` : ''
  return (
    <Figure
      label={label}
      value={version}
      {...(isOld ? { tone: 'warn' as const } : {})}
      note={<Note text={`${age}${upstreamText(published, isPending)}.`} link="Releases" />}
    />
  )
}

function Note({ text, link }: { readonly text: string; readonly link: string }) {
  return (
    <>
      {text}{' '}
      <TextLink to="/crs-releases" inherit underline="always">
        {link}
      </TextLink>
    </>
  )
}

function upstreamText(published: string | undefined, pending: boolean): string {
  if (published !== undefined) return 'Newest release'
  return pending ? 'Checking for updates' : 'Newest imported release; update check failed'
}
