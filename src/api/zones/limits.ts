import { limit, limits } from '../../kit/limits.ts'

export const originCheckLimits = limits('Origins', {
  originCheckMs: limit(
    5000,
    'ms',
    'Time for an origin to answer the check that the dashboard makes before a zone uses it; longer → not reachable.',
  ),
})

export const zoneSettingRequestLimits = limits('HTTP at the edge', {
  developmentModeSeconds: limit(
    3 * 3600,
    's',
    "Time after which the zone setting `development_mode` switches itself off (Cloudflare's own limit).",
  ),
})
