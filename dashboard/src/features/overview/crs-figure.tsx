import { isPermission } from '../../api/failure.ts'
import { useRead, useSession } from '../../api/hooks.ts'
import { compareVersions } from '../../managed/compare-versions.ts'
import { Figure } from '../../ui/figure.tsx'
import { TextLink } from '../../ui/links.tsx'

/** The CRS release that zones on `latest` run, and whether there is a newer one: imported, or upstream. */
export function CrsFigure() {
  const path = { account_id: useSession().accountId }
  const releases = useRead('GET /accounts/{account_id}/waf/crs_releases', { path })
  const upstream = useRead(
    'GET /accounts/{account_id}/waf/crs_releases/upstream',
    { path },
    { staleMs: 600_000, enabled: releases.isSuccess },
  )
  const label = 'OWASP CRS'
  if (releases.error) {
    const note = isPermission(releases.error) ? 'Needs Account WAF Read' : releases.error.message
    return <Figure label={label} value="–" note={note} />
  }
  if (releases.data === undefined) return <Figure label={label} value={undefined} />
  const active = releases.data.find(release => release.active)
  if (active === undefined)
    return <Figure label={label} value="None" tone="warn" note="npx sluice crs sync" />
  const imported = releases.data
    .map(release => release.crs_version)
    .toSorted(compareVersions)
    .at(-1)
  const published = upstream.data?.crs_version ?? undefined
  const isNewer = (version: string | undefined): version is string =>
    version !== undefined && compareVersions(version, active.crs_version) > 0
  if (isNewer(published) && published !== imported)
    return (
      <Figure
        label={label}
        value={active.crs_version}
        tone="warn"
        note={
          <>
            {published} is out.{' '}
            <TextLink to="/crs-releases" inherit underline="always">
              Import it
            </TextLink>
          </>
        }
      />
    )
  if (isNewer(imported)) {
    const note = (
      <>
        {imported} is imported and not in use.{' '}
        <TextLink to="/crs-releases" inherit underline="always">
          See what it changes
        </TextLink>
      </>
    )
    return <Figure label={label} value={active.crs_version} tone="warn" note={note} />
  }
  return (
    <Figure
      label={label}
      value={active.crs_version}
      note={
        <>
          {upstreamText(published, upstream.isPending)}.{' '}
          <TextLink to="/crs-releases" inherit underline="always">
            Releases
          </TextLink>
        </>
      }
    />
  )
}

function upstreamText(published: string | undefined, pending: boolean): string {
  if (published !== undefined) return 'The newest release'
  return pending ? 'Asking whether there is a newer one' : 'The newest here; upstream could not be asked'
}
