import { limit, limits } from '../kit/limits.ts'

export const outgoingLimits = limits('Origins', {
  originHeaderBytesMax: limit(64 * 1024, 'bytes', 'Status line and headers of an origin; larger → 502.'),
})
