import { limit, limits, tuning } from '../kit/limits.ts'

export const healthLimits = limits('Load balancing', {
  checksRunningMax: limit(
    32,
    'count',
    'Health checks of one machine that run at the same time; others wait. One account never runs more checks than are still free.',
  ),
  checkedBodyBytesMax: limit(
    64 * 1024,
    'bytes',
    'Part of the body in which a health check looks for the expected text.',
  ),
  checkRedirectsMax: limit(5, 'count', 'Redirects that one health check follows; one more → it fails.'),
  firstCheckMsMax: tuning(2000, 'ms', 'Time in which the first checks of new origins are spread.'),
  reportMs: limit(30_000, 'ms', 'Interval at which a machine writes the health of origins to the database.'),
  reportKeptMs: limit(
    90_000,
    'ms',
    'Time for which a report counts in the health of a pool, in case its machine is gone.',
  ),
})
