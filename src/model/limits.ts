import { limit, limits } from '../kit/limits.ts'

export const redactionLimits = limits('Log records', {
  parametersMax: limit(
    100,
    'count',
    'Query parameters of a zone whose values are redacted by name; more → 400.',
  ),
  parameterCharactersMax: limit(128, 'characters', 'Name of one such parameter; longer → 400.'),
})

export const samplingLimits = limits('Shadow and What if', {
  defaultRate: limit(0.01, 'share', 'Share of requests that are sampled in a zone without a setting.'),
  matchesMax: limit(
    100,
    'count',
    'Matched rules that are kept with a sample; all of them count for its score.',
  ),
})
