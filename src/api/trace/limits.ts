import { limit, limits } from '../../kit/limits.ts'

export const traceRequestLimits = limits('Traces of requests', {
  urlCharactersMax: limit(32_768, 'characters', 'The URL; longer → 400.'),
  textCharactersMax: limit(
    4096,
    'characters',
    'Another text of the request, such as a cookie; longer → 400.',
  ),
  headersMax: limit(256, 'count', 'Header lines of the request, before Sluice adds its own; more → 400.'),
  headBytesMax: limit(
    64 * 1024,
    'bytes',
    'Request line and all header lines; more → 400. The edge would answer 431.',
  ),
  bodyBytesMax: limit(
    1024 * 1024,
    'bytes',
    'The body; larger → 400. Rules inspect no more of a body either.',
  ),
})
