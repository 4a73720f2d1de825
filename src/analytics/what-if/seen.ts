import type { LogRecord } from '../../model/dataset.ts'
import type { SampledRule, WhatIfSample } from '../../model/what-if-sample.ts'

/** A sample with its zone. */
export interface SampleSeen {
  readonly kind: 'sample'
  readonly zone: string
  readonly timeMs: number
  readonly sample: WhatIfSample
}

/** Undefined for an invalid record: on a shared server any user may have written it. */
export function sampleSeen(zone: string, fields: LogRecord): SampleSeen | undefined {
  const { time, ray, scores, rules } = fields
  if (!isTime(time) || typeof ray !== 'string' || !/^[0-9a-f]{16}$/.test(ray)) return undefined
  if (!Array.isArray(scores) || scores.length !== 4 || !scores.every(isCount)) return undefined
  if (!Array.isArray(rules) || !rules.every(isRule)) return undefined
  const text = (name: keyof WhatIfSample) => (typeof fields[name] === 'string' ? fields[name] : '')
  const count = (name: keyof WhatIfSample) => (isCount(fields[name]) ? fields[name] : 0)
  const sample: WhatIfSample = {
    time,
    ray,
    client: text('client'),
    country: text('country'),
    host: text('host'),
    method: text('method'),
    path: text('path'),
    rate: typeof fields['rate'] === 'number' ? fields['rate'] : 0,
    leftOut: count('leftOut'),
    cpuMicros: count('cpuMicros'),
    action: text('action'),
    scores: scores as unknown as WhatIfSample['scores'],
    stops: count('stops'),
    incomplete: fields['incomplete'] === true,
    rules,
  }
  return { kind: 'sample', zone, timeMs: time, sample }
}

/** Bounded, so that no sum exceeds a column. */
const countBound = 1e12

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= countBound
}

/** With as many digits as the times of requests. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1e11 && value < 1e13
}

function isRule(value: unknown): value is SampledRule {
  if (!Array.isArray(value)) return false
  const [id, ref, level, score] = value
  return typeof id === 'string' && typeof ref === 'string' && isCount(level) && isCount(score)
}
