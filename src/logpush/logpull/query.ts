import { datasets } from '../../model/datasets/table.ts'
import type { Checked } from '../../model/problem.ts'
import { momentForms, momentOf } from '../jobs/moment.ts'
import { logpullLimits } from '../limits.ts'
import type { LineFormat } from '../output/format.ts'
import { parseLogpullOptions } from '../output/logpull-options.ts'
import { accept, refuse } from '../problems.ts'

/** The only dataset of Logpull. */
export const pulledDataset = 'http_requests'

const dataset = datasets.get(pulledDataset)!

/** The options of a request that concern its lines, as in the query. */
export interface PullOptions {
  readonly fields?: string
  readonly timestamps?: string
  readonly sample?: string
  readonly 'CVE-2021-44228'?: string
}

/** A range of receipt times, ms since the epoch. */
export interface PullRange {
  /** Inclusive. */
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}

/**
 * The line format of a request for records; the options are those of jobs.
 * @source Cloudflare, "Logpull: requesting logs"
 */
export function pullFormat(options: PullOptions): Checked<LineFormat> {
  const text = Object.entries(options)
    .map(([name, value]) => `${name}=${encodeURIComponent(value as string)}`)
    .join('&')
  return parseLogpullOptions(text, dataset, '')
}

/** Every available field. */
export function pulledFields(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    dataset.fields.map(({ name, type, description }) => [name, `${type}; ${description}`]),
  )
}

/**
 * Reads the range of a request. Times are compared in whole milliseconds, the precision of receipt times. Finer times
 * are rounded up at both ends, so that adjoining ranges never share or miss a record.
 * @param start undefined is the longest range that `end` allows
 * @source Cloudflare, "Logpull: requesting logs": the end is at least a minute ago, the range an hour at most
 */
export function pullRange(start: string | undefined, end: string, nowMs: number): Checked<PullRange> {
  const toMs = momentOf(end)
  if (toMs === undefined) return refuseTime('end', end, wantedTime)
  const fromMs = start === undefined ? toMs - logpullLimits.rangeMsMax : momentOf(start)
  if (fromMs === undefined) return refuseTime('start', start!, wantedTime)
  if (toMs > nowMs - logpullLimits.settledMs)
    return refuseTime('end', end, 'it has to be at least 1 minute before now')
  if (fromMs >= toMs) return refuseTime('end', end, 'it has to be later than start')
  if (toMs - fromMs > logpullLimits.rangeMsMax)
    return refuseTime('end', end, 'it has to be at most 1 hour after start')
  if (fromMs < nowMs - logpullLimits.ageMsMax)
    return refuseTime('start', start ?? '', 'it has to be at most 7 days before now')
  return accept({ fromMs, toMs })
}

const wantedTime = `it has to be ${momentForms} (write + as %2B)`

function refuseTime(name: string, value: string, reason: string): Checked<never> {
  const shown = value.length > 64 ? `${value.slice(0, 64)}…` : value
  return refuse('invalidField', `'${shown}' is not a valid value for ${name} because ${reason}`)
}
