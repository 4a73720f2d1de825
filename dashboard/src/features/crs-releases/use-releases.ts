import { useRead, useSession } from '../../api/hooks.ts'
import type { CrsRelease } from '../../api/types.ts'

export const releasesKey = 'GET /accounts/{account_id}/waf/crs_releases'

/** Imported releases, oldest first, in the API's order. */
export function useReleases() {
  return useRead(releasesKey, { path: { account_id: useSession().accountId } }, { staleMs: 30_000 })
}

/** `CRS 4.28.0`; with the version when a changed release was imported again. */
export function releaseName(release: CrsRelease, all: readonly CrsRelease[]): string {
  const name = `CRS ${release.crs_version}`
  const isTwice = all.filter(each => each.crs_version === release.crs_version).length > 1
  return isTwice ? `${name} (version ${release.version})` : name
}
