import { limit, limits } from '../../kit/limits.ts'

export const edgeTraceLimits = limits('Traces of requests', {
  runningMax: limit(4, 'count', 'Requests that one edge worker traces at the same time; one more → 429.'),
  matchesMax: limit(
    200,
    'count',
    'Matched rules that are listed for one run of a managed ruleset; the trace gives the number of the others.',
  ),
  valueBytesMax: limit(512, 'bytes', 'Part of a matched value that is shown.'),
  valuesMax: limit(4, 'count', 'Values of one condition of a rule that are shown.'),
  explainedBodyBytesMax: limit(
    64 * 1024,
    'bytes',
    'Body size up to which a trace explains why each rule matched. That takes a second, complete run.',
  ),
})
