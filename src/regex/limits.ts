import { limit, limits, tuning } from '../kit/limits.ts'

export const regexLimits = limits('Regular expressions', {
  patternBytesMax: limit(
    64 * 1024,
    'bytes',
    'One pattern; longer → the pattern is refused. The longest of the CRS has 12,126 bytes.',
  ),
  nestingMax: limit(250, 'count', 'Groups and classes inside one another; deeper → the pattern is refused.'),
  groupsMax: limit(99, 'count', 'Capture groups of one pattern; more → the pattern is refused.'),
  repeatMax: limit(1000, 'count', 'Upper bound of `{n,m}`; larger → the pattern is refused.'),
  instructionsMax: limit(
    50_000,
    'count',
    'Instructions of one automaton; more → the pattern is refused. The largest of the CRS needs about 7,300. They are numbered with 16 bits.',
  ),
  ruleInstructionsMax: limit(
    16_384,
    'count',
    'Instructions of one automaton in an expression, which any editor of rules can write. The time per byte and the memory grow with it.',
  ),
  dfaStatesMax: tuning(
    10_000,
    'count',
    'States in the tables of a lazy automaton; at the limit it starts afresh.',
  ),
  dfaStatesPerScanMax: tuning(
    5_000,
    'count',
    'States that one scan builds; more → it continues without storing any.',
  ),
  dfaBytesMax: tuning(
    4 * 1024 * 1024,
    'bytes',
    'Bytes in the tables of a lazy automaton; at the limit it starts afresh.',
  ),
  dfaBytesTotalMax: tuning(
    64 * 1024 * 1024,
    'bytes',
    'Bytes in the tables of all automata of the process; more → the tables that grew longest ago are emptied.',
  ),
  backtrackBitsMax: limit(
    256 * 1024 * 1024,
    'bits',
    'Memory for failed attempts of patterns with look-around or possessive quantifiers; input too long for it → MSC_PCRE_LIMITS_EXCEEDED, and `SLUICE_ON_ERROR` decides.',
  ),
  backtrackStepsMin: limit(
    100_000,
    'count',
    'Steps of a pattern with back-references on any input; used up → MSC_PCRE_LIMITS_EXCEEDED, and `SLUICE_ON_ERROR` decides.',
  ),
  backtrackStepsPerByte: limit(200, 'count', 'Steps that each byte of input adds to `backtrackStepsMin`.'),
  backtrackStepsMax: limit(
    2_000_000,
    'count',
    'Steps of a pattern with back-references in all: some hundredths of a second.',
  ),
})
