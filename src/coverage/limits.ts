import { limit, limits } from '../kit/limits.ts'

export const coverageLimits = limits('Coverage', {
  planBytesMax: limit(256 * 1024 * 1024, 'bytes', 'File of `sluice coverage FILE`; a longer one is refused.'),
  planResourcesMax: limit(100_000, 'count', 'Resources of a plan; more are refused.'),
  planLevelsMax: limit(200, 'count', 'Levels of objects and arrays in a plan; more are refused.'),
  reasonsShown: limit(
    20,
    'count',
    'Reasons that the report names for one ruleset, with the number of the others.',
  ),
})

export const keptLimits = limits('Resources that are not enforced', {
  keptResourcesMax: limit(
    500,
    'count',
    'Resources of one kind in an account or a zone, such as page rules; more → 400.',
  ),
  keptTextCharactersMax: limit(4096, 'characters', 'A text in one such resource; longer → 400.'),
  keptDocumentBytesMax: limit(65_536, 'bytes', 'JSON of one such resource; longer → 400.'),
})
