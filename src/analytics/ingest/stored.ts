import { recordFields, recordFieldsAround, recordFieldsBefore, recordHead } from '../../bus/index.ts'
import type { LogRecord } from '../../model/dataset.ts'
import { firstUncountedField } from '../../model/datasets/http-requests.ts'
import { whatIfSamplesDataset } from '../../model/what-if-sample.ts'
import { holding, rayNumber } from '../values.ts'
import { type SampleSeen, sampleSeen } from '../what-if/seen.ts'
import { RuleLists, type RuleNames, rulesOfMetadata, rulesOfRuns, withActingRules } from './matched-rules.ts'

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
  /** Acting rules, and matched rules of managed rulesets. */
  readonly rules: RuleNames
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
  /** Matched managed rules. */
  readonly rules: RuleNames
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
    if (dataset === 'http_requests') return requestIn(zone, account, record)
    if (dataset === whatIfSamplesDataset) return sampleSeen(zone, recordFields(record))
    if (dataset === 'firewall_events') return eventIn(zone, record)
    return undefined
  } catch {
    return undefined
  }
}

const listsOfRequests = new RuleLists(rulesOfRuns)
const listsOfEvents = new RuleLists(rulesOfMetadata)

function requestIn(zone: string, account: string, record: string): RequestSeen | undefined {
  const parts = recordFieldsAround(record, 'MatchedRules', firstUncountedField)
  const rules = parts && listsOfRequests.of(parts.value)
  const seen =
    rules === undefined
      ? requestSeen(zone, account, recordFieldsBefore(record, firstUncountedField))
      : requestSeen(zone, account, JSON.parse(`${parts!.before}}`), rules)
  // An earlier version wrote the fields in another order.
  return seen ?? requestSeen(zone, account, recordFields(record))
}

function eventIn(zone: string, record: string): EventSeen | undefined {
  const parts = recordFieldsAround(record, 'Metadata', 'RuleID')
  const rules = parts && listsOfEvents.of(parts.value)
  if (rules === undefined) return eventSeen(zone, recordFields(record), record)
  return eventSeen(zone, JSON.parse(parts!.before + parts!.after), record, rules)
}

/** @param matched the rules of its `MatchedRules` */
function requestSeen(
  zone: string,
  account: string,
  fields: LogRecord,
  matched: RuleNames = rulesOfRuns(fields['MatchedRules']),
): RequestSeen | undefined {
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
    rules: withActingRules(fields['SecurityRuleIDs'], matched),
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

/** @param rules those of its `Metadata` */
function eventSeen(
  zone: string,
  fields: LogRecord,
  record: string,
  rules: RuleNames = rulesOfMetadata(fields['Metadata']),
): EventSeen | undefined {
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
    rules,
    // A block has a line for each.
    record: record.includes('\n') ? JSON.stringify(JSON.parse(record)) : record,
  }
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
