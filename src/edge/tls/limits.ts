import { limit, limits } from '../../kit/limits.ts'

export const tlsLimits = limits('Certificates', {
  reportedCertificatesMax: limit(
    1000,
    'count',
    'Certificates that metrics and warnings list, the first to expire first; the others are left out.',
  ),
  expiringMs: limit(
    14 * 86_400_000,
    'ms',
    'Time before its end from which a certificate counts as expiring.',
  ),
  expiringShare: limit(0.25, 'share', 'The same as a share of its life, if that is shorter.'),
})

export const ocspLimits = limits('Certificates', {
  answerMsMax: limit(10_000, 'ms', 'Time for an OCSP responder to begin its answer, and again to send it.'),
  answerBytesMax: limit(64 * 1024, 'bytes', 'Answer of an OCSP responder; a larger one is refused.'),
  requestsMax: limit(4, 'count', 'Requests to OCSP responders that an edge worker sends at the same time.'),
  firstMsMax: limit(
    3000,
    'ms',
    'Time that handshakes of a certificate with must-staple wait for its first OCSP response; then they go on without it.',
  ),
  refreshMsMax: limit(
    86_400_000,
    'ms',
    'Interval at which OCSP responses are renewed; in the middle of their time if that is earlier.',
  ),
  clockSkewMs: limit(
    300_000,
    'ms',
    'Time by which the clock of an OCSP responder may be ahead; a later response is refused.',
  ),
  undatedMs: limit(
    3_600_000,
    'ms',
    'Time for which an OCSP response is used that does not say when the next one exists.',
  ),
  retryMsMin: limit(60_000, 'ms', 'Wait after a first failure of an OCSP responder; it doubles.'),
  retryMsMax: limit(3_600_000, 'ms', 'Longest wait after failures of an OCSP responder.'),
})
