import { limit, limits } from '../kit/limits.ts'

export const expressionLimits = limits('Expressions', {
  expressionCharactersMax: limit(
    4096,
    'characters',
    "Characters of one expression (Cloudflare's own limit).",
  ),
  nestingDepthMax: limit(
    128,
    'count',
    'Parentheses, `not`, calls and quantifiers inside one another; deeper → the expression is refused.',
  ),
  rawStringHashesMax: limit(255, 'count', 'Hashes around a raw string.'),
  concatArgumentsMax: limit(32, 'count', 'Arguments of `concat`.'),
  splitPiecesMax: limit(128, 'count', 'Highest limit argument of `split`.'),
  replacementReferencesMax: limit(
    8,
    'count',
    'References to captured texts in one replacement of `regex_replace` or `wildcard_replace`.',
  ),
  madeBytesMax: limit(
    16 * 1024 * 1024,
    'bytes',
    'Bytes of all results of functions in one evaluation of an expression; more → the rule cannot be evaluated, and `SLUICE_ON_ERROR` decides. An element of an array counts as 16. A hundred functions of a whole body stay below it.',
  ),
  matchWorkMax: limit(
    1_000_000,
    'count',
    'Instructions that the regular expressions of one expression run in one evaluation, some 25 ms; more → the rule cannot be evaluated, and `SLUICE_ON_ERROR` decides. Known texts cost next to nothing.',
  ),
  wildcardStarsMax: limit(64, 'count', 'Stars of one wildcard pattern.'),
  jsonDepthMax: limit(
    512,
    'count',
    'Objects and arrays inside one another that JSON lookups follow; a deeper document has no values.',
  ),
})
