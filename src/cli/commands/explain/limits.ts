import { limit, limits } from '../../../kit/limits.ts'

export const explainCommandLimits = limits('Explanations of requests', {
  requestBytesMax: limit(4 * 1024 * 1024, 'bytes', 'Request that `sluice explain` reads; larger → refused.'),
})
