import { limit, limits } from '../../kit/limits.ts'

export const crsUpstreamLimits = limits('CRS releases', {
  upstreamKeptMs: limit(6 * 3_600_000, 'ms', 'Time until upstream is asked again for the newest release.'),
  upstreamRetryMs: limit(600_000, 'ms', 'The same when upstream did not answer.'),
})
