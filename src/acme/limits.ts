import { limit, limits, tuning } from '../kit/limits.ts'

export const acmeLimits = limits('Certificates', {
  ordersAtOnceMax: limit(4, 'count', 'Certificates that one process orders by ACME at the same time.'),
  orderMsMax: limit(300_000, 'ms', 'Time for one order by ACME; longer → the attempt has failed.'),
  firstRetryMs: limit(
    120_000,
    'ms',
    'Wait after the first failed order by ACME. Each further failure doubles it, up to `retryMsMax`.',
  ),
  retryMsMax: limit(6 * 3_600_000, 'ms', 'Longest wait after a failed order by ACME.'),
  answerMsMax: limit(30_000, 'ms', 'Time for the certificate authority to answer a request.'),
  answerBytesMax: limit(1024 * 1024, 'bytes', 'Answer of the certificate authority; more → the order fails.'),
  coveredMs: tuning(
    86_400_000,
    'ms',
    'A name that has a custom certificate is looked at again after this time.',
  ),
  claimMs: tuning(600_000, 'ms', 'The order of a process that has died is free after this time.'),
  lookMs: tuning(1000, 'ms', 'Interval at which a process looks for names that need a certificate.'),
  pollMsMax: tuning(5000, 'ms', 'Longest pause between two requests for the state of an order.'),
  spreadMs: tuning(
    2000,
    'ms',
    'Wait until all edges have a challenge. They learn of changes ten times a second, and may be busy.',
  ),
})
