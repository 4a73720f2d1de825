import { limit, limits, tuning } from '../../kit/limits.ts'

export const listRequestLimits = limits('Lists', {
  nameCharactersMax: limit(50, 'characters', "Characters of a list's name (Cloudflare's own limit)."),
  descriptionCharactersMax: limit(
    500,
    'characters',
    "Characters of a description or comment (Cloudflare's own limit).",
  ),
  itemsPerRequestMax: limit(100_000, 'count', 'Items of one request, added or deleted; more → 400.'),
  itemsAuditedMax: limit(
    1000,
    'count',
    'Items of one change that the audit trail names; of a larger change it keeps the number.',
  ),
  itemsPerPageMax: limit(500, 'count', "Items of one page (Cloudflare's own limit); more asked → 400."),
  itemsPerPageDefault: limit(100, 'count', 'Items of a page when `per_page` is not given.'),
  urlCharactersMax: limit(2048, 'characters', "Characters of a redirect's URL."),
  sourceSlashesMax: limit(
    16,
    'count',
    "Slashes in the path of a redirect's source with `subpath_matching` (Cloudflare's own limit); more → 400.",
  ),
  operationsOpenMax: limit(
    32,
    'count',
    'Operations of one process that have not ended, with their items in memory; more → 429.',
  ),
  operationBeatMs: tuning(5000, 'ms', 'The process that runs an operation shows this often that it lives.'),
  operationSilentBeatsMax: tuning(
    6,
    'count',
    'An operation has failed when its process has not shown that it lives for so many of these intervals.',
  ),
})
