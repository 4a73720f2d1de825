import { isNewerRelease } from '../../crs/index.ts'
import type { Condition } from '../look.ts'

/** A release that is newer than the active one. */
export const newerCrsRelease: Condition = async (_policy, look) => {
  const newest = await look.once('newest CRS release', look.sources.newestCrsRelease)
  const active = await look.once('active CRS release', () => look.sources.store.crs.active())
  if (active === undefined || !isNewerRelease(newest, active.crsVersion)) return { findings: [], absenceOf }
  const finding = {
    subject: `CRS ${newest}`,
    text: `OWASP CRS ${newest} is available; ${active.crsVersion} is active. Import it in the dashboard, or with \`sluice crs sync\`.`,
    endText: null,
    data: { crs_version: newest, active_crs_version: active.crsVersion },
  }
  return { findings: [finding], absenceOf }
}

/** No note follows: the release is active now, or a newer one is available. */
const absenceOf = () => 'gone' as const
