import { limits, tuning } from '../kit/limits.ts'

export const detectLimits = limits('Injection detectors', {
  sliceBytes: tuning(2 * 1024, 'bytes', 'Part of a long value after which a detector pauses.'),
})
