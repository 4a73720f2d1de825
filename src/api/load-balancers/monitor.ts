import { type Static, Type } from '@fastify/type-provider-typebox'
import { isExpectedCodes } from '../../health/index.ts'
import { type Monitor, monitorTypes } from '../../model/load-balancing.ts'
import { unsupportedInMonitor } from '../../model/load-balancing-support.ts'
import { escapePointer } from '../http/schema-errors.ts'
import {
  describedText,
  id,
  nullable,
  optional,
  record,
  strict,
  text,
  time,
  type Wire,
} from '../http/schemas.ts'
import { loadBalancingLimits as limits } from './limits.ts'
import { requireSupported, requireValue } from './refusals.ts'
import { description, given, ignored, port, some } from './schemas.ts'

const line = Type.String({ maxLength: limits.monitorTextCharactersMax })
const consecutive = Type.Integer({ minimum: 0, maximum: limits.consecutiveMax })
const headers = record(100, Type.Array(line, { maxItems: limits.monitorHeadersMax }), {
  maxProperties: limits.monitorHeadersMax,
})

const members = {
  type: some(Type.Enum([...monitorTypes, 'icmp_ping', 'udp_icmp', 'smtp'])),
  description,
  method: some(Type.String({ maxLength: 40 })),
  path: some(line),
  port: some(port),
  interval: some(Type.Integer({ minimum: limits.intervalSecondsMin, maximum: limits.intervalSecondsMax })),
  timeout: some(Type.Integer({ minimum: 1, maximum: limits.timeoutSecondsMax })),
  retries: some(Type.Integer({ minimum: 0, maximum: limits.retriesMax })),
  consecutive_up: some(consecutive),
  consecutive_down: some(consecutive),
  expected_codes: some(line),
  expected_body: some(line),
  header: some(headers),
  follow_redirects: some(Type.Boolean()),
  allow_insecure: some(Type.Boolean()),
  probe_zone: some(Type.String({ maxLength: 253 })),
}

export const monitorBody = Type.Object({ ...members, ...ignored }, strict)
export type MonitorInput = Static<typeof monitorBody>

export const monitorSchema = Type.Object({
  id,
  type: Type.Enum([...monitorTypes]),
  description: text,
  method: text,
  path: text,
  port: optional(Type.Integer()),
  interval: Type.Integer({ description: 'seconds' }),
  timeout: Type.Integer({ description: 'seconds' }),
  retries: Type.Integer(),
  consecutive_up: optional(Type.Integer()),
  consecutive_down: optional(Type.Integer()),
  expected_codes: describedText('`2xx`, `200`, `200-299`, or several with commas'),
  expected_body: describedText('part of the body, in any letter case'),
  header: optional(nullable(Type.Record(Type.String(), Type.Array(text)))),
  follow_redirects: Type.Boolean(),
  allow_insecure: Type.Boolean(),
  probe_zone: text,
  created_on: time,
  modified_on: time,
})

/** The monitor that an input describes. @throws ApiError 400 */
export function monitorFrom(
  input: MonitorInput,
  owned: Pick<Monitor, 'id' | 'accountId' | 'createdOn' | 'modifiedOn'>,
): Monitor {
  const { port, header, consecutive_up: up, consecutive_down: down, ...sent } = given(input)
  requireSupported(unsupportedInMonitor(sent))
  const type = monitorTypes.find(one => one === sent.type) ?? 'http'
  const monitor: Monitor = {
    ...owned,
    type,
    description: sent.description ?? '',
    method: sent.method ?? (type === 'tcp' ? connection : 'GET'),
    path: sent.path ?? '/',
    ...(port === undefined ? {} : { port }),
    intervalSeconds: sent.interval ?? 60,
    timeoutSeconds: sent.timeout ?? 5,
    retries: sent.retries ?? 2,
    ...(up === undefined ? {} : { consecutiveUp: up }),
    ...(down === undefined ? {} : { consecutiveDown: down }),
    expectedCodes: sent.expected_codes ?? '',
    expectedBody: sent.expected_body ?? '',
    ...(header === undefined ? {} : { header }),
    followRedirects: sent.follow_redirects ?? false,
    allowInsecure: sent.allow_insecure ?? false,
    ...(sent.probe_zone === undefined || sent.probe_zone === ''
      ? {}
      : { probeZone: sent.probe_zone.toLowerCase() }),
  }
  requirePlausible(monitor)
  return monitor
}

const connection = 'connection_established'

function requirePlausible(monitor: Monitor): void {
  const { type, method, path, port = 0, intervalSeconds, timeoutSeconds, expectedCodes } = monitor
  const shorter = timeoutSeconds < intervalSeconds ? undefined : 'it must be shorter than the interval'
  requireValue(shorter, timeoutSeconds, '/timeout')
  if (type === 'tcp') {
    const wanted = port === 0 ? 'tcp checks need a port' : undefined
    requireValue(wanted, port, '/port')
    return
  }
  const word = /^[A-Z]{1,20}$/.test(method) && method !== 'CONNECT' ? undefined : 'it is not a method'
  requireValue(word, method, '/method')
  const isPath = /^\/[\x21-\x7e]*$/.test(path) && !path.includes('#')
  requireValue(isPath ? undefined : 'it is not a path that begins with /', path, '/path')
  const codes = isExpectedCodes(expectedCodes)
    ? undefined
    : 'it is no list of codes such as 2xx, 200 or 200-299'
  requireValue(codes, expectedCodes, '/expected_codes')
  for (const [name, values] of Object.entries(monitor.header ?? {})) requireHeader(name, values)
}

/** Belong to the connection, or to Sluice: origins recognise a check by its User-Agent. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
])

function requireHeader(name: string, values: readonly string[]): void {
  const pointer = `/header/${escapePointer(name)}`
  const isToken = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)
  requireValue(isToken ? undefined : 'it is not the name of a header', name, pointer)
  const isOwn = ownHeaders.has(name.toLowerCase())
  requireValue(isOwn ? 'Sluice sets this header itself' : undefined, name, pointer)
  const single = name.toLowerCase() === 'host' && values.length !== 1 ? 'Host has one value' : undefined
  requireValue(single, values.join(', '), pointer)
  for (const value of values) {
    const isValue = /^[\t\x20-\x7e]*$/.test(value)
    requireValue(isValue ? undefined : 'it has characters that a header must not have', '***', pointer)
  }
}

export function monitorToWire(monitor: Monitor): Wire<typeof monitorSchema> {
  const { port, consecutiveUp, consecutiveDown, header } = monitor
  return {
    id: monitor.id,
    type: monitor.type,
    description: monitor.description,
    method: monitor.method,
    path: monitor.path,
    ...(port === undefined ? {} : { port }),
    interval: monitor.intervalSeconds,
    timeout: monitor.timeoutSeconds,
    retries: monitor.retries,
    ...(consecutiveUp === undefined ? {} : { consecutive_up: consecutiveUp }),
    ...(consecutiveDown === undefined ? {} : { consecutive_down: consecutiveDown }),
    expected_codes: monitor.expectedCodes,
    expected_body: monitor.expectedBody,
    ...(header === undefined ? {} : { header }),
    follow_redirects: monitor.followRedirects,
    allow_insecure: monitor.allowInsecure,
    probe_zone: monitor.probeZone ?? '',
    created_on: monitor.createdOn,
    modified_on: monitor.modifiedOn,
  }
}
