import { recordFields, recordFieldsBefore, recordHead } from '../../bus/index.ts'
import type { LogRecord } from '../../model/dataset.ts'
import { firstUncountedField } from '../../model/datasets/http-requests.ts'
import { whatIfSamplesDataset } from '../../model/what-if-sample.ts'
import { analyticsLimits } from '../limits.ts'
import { ruleName } from '../texts.ts'
import { holding, rayNumber } from '../values.ts'
import { type SampleSeen, sampleSeen } from '../what-if/seen.ts'

/** The counted properties of a request. */
export interface RequestSeen {
  readonly kind: 'request'
  readonly zone: string
  readonly account: string
  readonly timeMs: number
  readonly status: number
  /** Bytes sent to the client. */
  readonly bytes: number
  readonly requestBytes: number
  /** The mitigating action, in lower case; empty without one. */
  readonly action: string
  readonly source: string
  /** Matched rules, those of managed rulesets and acting rules, each once; see `ruleName`. */
  readonly rules: readonly string[]
  /** The origin answered with a status below 400. */
  readonly passedWell: boolean
}

/** One event with its indexed properties. */
export interface EventSeen {
  readonly kind: 'event'
  readonly zone: string
  readonly timeMs: number
  readonly action: string
  readonly source: string
  readonly rule: string
  readonly client: string
  readonly country: string
  readonly path: string
  readonly method: string
  readonly host: string
  readonly agent: string
  /** As a signed 64-bit number. */
  readonly ray: bigint
  readonly held: boolean
  /** Matched managed rules, each once; see `ruleName`. */
  readonly rules: readonly string[]
  /** The record as in the log. */
  readonly record: string
}

/**
 * Reads a record of the log; undefined for records of other datasets, and for invalid ones: on a shared server any
 * user may have written them.
 */
export function seenIn(record: string): RequestSeen | EventSeen | SampleSeen | undefined {
  try {
    const { zone, account, dataset } = recordHead(record)
    if (dataset === 'http_requests')
      return (
        requestSeen(zone, account, recordFieldsBefore(record, firstUncountedField)) ??
        // An earlier version wrote the fields in another order.
        requestSeen(zone, account, recordFields(record))
      )
    if (dataset === whatIfSamplesDataset) return sampleSeen(zone, recordFields(record))
    if (dataset === 'firewall_events') return eventSeen(zone, recordFields(record), record)
    return undefined
  } catch {
    return undefined
  }
}

function requestSeen(zone: string, account: string, fields: LogRecord): RequestSeen | undefined {
  const timeMs = millisecondsOf(fields['EdgeStartTimestamp'])
  if (timeMs === undefined) return undefined
  const action = textOf(fields['SecurityAction'])
  const held = holding.has(action.toLowerCase())
  return {
    kind: 'request',
    zone,
    account,
    timeMs,
    status: numberOf(fields['EdgeResponseStatus']),
    bytes: numberOf(fields['EdgeResponseBytes']),
    requestBytes: numberOf(fields['ClientRequestBytes']),
    action: held ? action.toLowerCase() : '',
    source: held ? sourceOf(action, fields) : '',
    rules: rulesOfRequest(fields),
    passedWell: !held && isGood(fields['OriginResponseStatus']) && isGood(fields['EdgeResponseStatus']),
  }
}

/** Source of the last action of the same name: the action that ends a request comes last. */
function sourceOf(action: string, fields: LogRecord): string {
  const actions = fields['SecurityActions']
  const sources = fields['SecuritySources']
  if (!Array.isArray(actions) || !Array.isArray(sources)) return ''
  return textOf(sources[actions.lastIndexOf(action)]).toLowerCase()
}

function isGood(status: unknown): boolean {
  return typeof status === 'number' && status >= 100 && status < 400
}

/** Solved challenges are listed with an empty rule. */
function rulesOfRequest(fields: LogRecord): readonly string[] {
  const names = new Set<string>()
  for (const id of listOf(fields['SecurityRuleIDs'])) addName(names, id, '')
  for (const run of listOf(fields['MatchedRules']))
    for (const rule of listOf(run?.rules)) addName(names, rule?.id, rule?.metadata?.ref)
  return names.size === 0 ? noRules : [...names]
}

const noRules: readonly string[] = []

/** Rules without an id are helpers of the sources, and cannot be overridden. */
function addName(names: Set<string>, id: unknown, ref: unknown): void {
  if (typeof id === 'string' && id !== '' && names.size < analyticsLimits.matchedRulesMax)
    names.add(ruleName(id, textOf(ref)))
}

// biome-ignore lint/suspicious/noExplicitAny: on a shared server anybody may have written anything
function listOf(value: unknown): readonly any[] {
  return Array.isArray(value) ? value.slice(0, analyticsLimits.matchedRulesMax) : []
}

function eventSeen(zone: string, fields: LogRecord, record: string): EventSeen | undefined {
  const timeMs = millisecondsOf(fields['Datetime'])
  const ray = rayNumber(textOf(fields['RayID']))
  if (timeMs === undefined || ray === undefined) return undefined
  const action = textOf(fields['Action']).toLowerCase()
  return {
    kind: 'event',
    zone,
    timeMs,
    action,
    source: textOf(fields['Source']).toLowerCase(),
    rule: textOf(fields['RuleID']),
    client: textOf(fields['ClientIP']),
    country: textOf(fields['ClientCountry']),
    path: textOf(fields['ClientRequestPath']),
    method: textOf(fields['ClientRequestMethod']),
    host: textOf(fields['ClientRequestHost']),
    agent: textOf(fields['ClientRequestUserAgent']),
    ray,
    held: holding.has(action),
    rules: matchedRules(fields['Metadata']),
    // A block has a line for each.
    record: record.includes('\n') ? JSON.stringify(JSON.parse(record)) : record,
  }
}

function matchedRules(metadata: unknown): readonly string[] {
  const { rules } = (metadata ?? {}) as { readonly rules?: unknown }
  const names = new Set<string>()
  for (const rule of listOf(rules)) addName(names, rule?.id, rule?.ref)
  return [...names]
}

/** Milliseconds of nanoseconds since the epoch. */
function millisecondsOf(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : textOf(value)
  return /^\d{18,19}$/.test(text) ? Number(text.slice(0, -6)) : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Bounded, so that no sum exceeds a column. */
const numberMax = 1e12

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? Math.min(value, numberMax)
    : 0
}
