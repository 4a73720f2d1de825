import { limit, limits } from '../kit/limits.ts'

export const agentLimits = limits('Behind another proxy', {
  agentHeaderBytesMax: limit(64 * 1024, 'bytes', 'Headers of one request over HTTP; larger → 431.'),
  agentAnswerBytesMax: limit(
    12 * 1024,
    'bytes',
    'Compressed page in a header for nginx; a longer page is left out, and nginx sends its own.',
  ),
  agentPageBytesMax: limit(256 * 1024, 'bytes', 'The same page, uncompressed.'),
  refusedProxiesToldMs: limit(60_000, 'ms', 'Interval of log lines about proxies that may not ask.'),
})
