import { logpullLimits } from '../kit/limits.ts'
import { nanosecondsOf } from '../logfilter/nanoseconds.ts'
import { datasets } from '../model/datasets/table.ts'
import type { Checked } from '../model/problem.ts'
import type { LineFormat } from './format.ts'
import { parseLogpullOptions } from './output/logpull-options.ts'
import { accept, refuse } from './problems.ts'

/** Logpull knows this dataset only. */
export const pulledDataset = 'http_requests'

const dataset = datasets.get(pulledDataset)!

/** What a request says of the lines; all of them as the query has them. */
export interface PullOptions {
  readonly fields?: string
  readonly timestamps?: string
  readonly sample?: string
  readonly 'CVE-2021-44228'?: string
}

/** A range of receipt times, ms since the epoch. */
export interface PullRange {
  /** Included. */
  readonly fromMs: number
  /** Not included. */
  readonly toMs: number
}

/**
 * The lines that a request for records asks for: the same options as those of jobs.
 * @source Cloudflare, "Logpull: requesting logs"
 */
export function pullFormat(options: PullOptions): Checked<LineFormat> {
  const text = Object.entries(options)
    .map(([name, value]) => `${name}=${encodeURIComponent(value as string)}`)
    .join('&')
  return parseLogpullOptions(text, dataset, '')
}

/** Every field that can be asked for. */
export function pulledFields(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    dataset.fields.map(({ name, type, description }) => [name, `${type}; ${description}`]),
  )
}

/**
 * Reads the range of a request. Times are compared in whole milliseconds, as records are received in: of a finer
 * time the next one counts, for both ends, so that ranges that adjoin never share or miss a record.
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

const wantedTime =
  'it has to be Unix seconds, Unix nanoseconds or RFC 3339 such as 2026-01-02T03:04:05Z (write + as %2B)'

/** Seconds have at most 11 digits, until the year 5138; nanoseconds at least 18, since 1973. */
function momentOf(text: string): number | undefined {
  if (/^\d{1,11}$/.test(text)) return Number(text) * 1000
  if (/^\d{12,17}$/.test(text)) return undefined
  const nanoseconds = nanosecondsOf(text)
  return nanoseconds === undefined ? undefined : Number((nanoseconds + 999_999n) / 1_000_000n)
}

function refuseTime(name: string, value: string, reason: string): Checked<never> {
  const shown = value.length > 64 ? `${value.slice(0, 64)}…` : value
  return refuse('invalidField', `'${shown}' is not a valid value for ${name} because ${reason}`)
}
