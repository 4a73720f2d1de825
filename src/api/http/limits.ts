import { limit, limits } from '../../kit/limits.ts'

export const apiLimits = limits('API', {
  apiBodyBytesMax: limit(
    8 * 1024 * 1024,
    'bytes',
    'Body of an API request; larger → 413. A ruleset with 1,000 long rules is about 5 MB.',
  ),
  jsonDepthMax: limit(
    64,
    'count',
    'Objects and arrays inside each other in a request body; deeper → 400. Documents use about 8.',
  ),
  errorsMax: limit(20, 'count', 'Entries of `errors` in one answer; the rest is left out.'),
  perPageMax: limit(50, 'count', "Items of one page of a list (Cloudflare's own limit); more asked → 400."),
  detectionsMax: limit(10, 'count', 'Custom detection locations of a zone; more → 403.'),
  detectionExpressionCharactersMax: limit(
    1024,
    'characters',
    "Expression of a detection location (Cloudflare's own limit for exposed credentials).",
  ),
  perPageDefault: limit(20, 'count', 'Items of a page when `per_page` is not given.'),
  waitingWritesMax: limit(
    100,
    'count',
    'Writes that wait for their turn at one account or zone; more → 429.',
  ),
  writeTriesMax: limit(
    20,
    'count',
    'Attempts at a write while other processes write to the same resource; then → 429.',
  ),
  requestTimeoutMs: limit(
    60_000,
    'ms',
    'Time for a client to send a request with its body; longer → 400, and the connection is closed.',
  ),
})
