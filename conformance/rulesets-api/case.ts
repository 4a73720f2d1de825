import type { Method } from '../../src/api/testing/test-api.ts'
import { Exactly, type Expected } from '../expected.ts'

export { Exactly, type Expected }

/**
 * One promise of the API. Every case begins with an account and a zone without rulesets.
 *
 * Texts hold names in angle brackets: `<account>` and `<zone>` are ids. `<ruleset>` is the id in the last response
 * with a ruleset, and `<rule1>` the id of its first rule. `<NAME>` is the id of its rule with the ref NAME.
 * `<executed>` is the id of the ruleset that one of its rules executes. `<value>` and `<token>` are the last created
 * token; `<list>` is the last list.
 */
export interface Case {
  /** Begins with its section of the API's description. */
  readonly name: string
  /** Requests before it; each must succeed. */
  readonly given?: readonly Request[]
  readonly request: Request
  /** 200 if absent. */
  readonly status?: number
  /** The response's `result` must match it. */
  readonly result?: Expected
  /** The first entry of `errors`; an absent pointer is not compared. */
  readonly error?: readonly [code: number | undefined, message: string | RegExp, pointer?: string]
  /** The response's whole body must match it. */
  readonly body?: Expected
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string | RegExp>>
}

export type Request = readonly [
  method: Method,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string | undefined>>,
]

export const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'
export const lastRule = '6179ae15870a4bb7b2d480d4843b323c'
/** Managed rulesets whose rules are not public, as Cloudflare lists them; zones do not list the one for packets. */
export const closedIds = (level: 'zone' | 'account'): readonly string[] => [
  'efb7b8c949ac4650a09736fc376e9aee',
  'c2e184081120413c86c3ab7e14069605',
  '77454fe2d30c4220b5701f6fdfb893ba',
  'e22d83c647c64a3eae91b71b499d988e',
  '4d21379b4f9f4bb088e0729962c8b3cf',
  '3e677e63d4e9479382576f3fa66279e7',
  ...(level === 'account' ? ['3b64149bfa6e4220bbbc2bd6db589552'] : []),
]
/** An id without an object. */
export const unknownId = '0123456789abcdef0123456789abcdef'

export const custom = 'http_request_firewall_custom'
export const managed = 'http_request_firewall_managed'
export const limits = 'http_ratelimit'
export const logFields = 'http_log_custom_fields'
export const enterprise = 'cf.zone.plan eq "ENT"'

/** Both levels, for objects that exist at each. */
export const levels = [
  { level: 'zone', scope: '/zones/<zone>', kind: 'zone' },
  { level: 'account', scope: '/accounts/<account>', kind: 'root' },
] as const

export const entryPoint = (phase: string, scope = '/zones/<zone>') =>
  `${scope}/rulesets/phases/${phase}/entrypoint`

export const block = (ref: string, more: object = {}) => ({
  action: 'block',
  expression: `http.request.uri.path eq "/${ref}"`,
  ref,
  ...more,
})

/** An entry point of the zone with a blocking rule for each ref. */
export const zoneRules = (...refs: readonly string[]): Request => [
  'PUT',
  entryPoint(custom),
  { rules: refs.map(ref => block(ref)) },
]

/** An empty custom ruleset, in the zone by default. */
export const customRuleset = (phase: string = custom, scope = '/zones/<zone>'): Request => [
  'POST',
  `${scope}/rulesets`,
  { kind: 'custom', name: 'custom', phase },
]

export const execute = (parameters: object = {}) => ({
  action: 'execute',
  expression: 'true',
  action_parameters: { id: owasp, ...parameters },
})

/** One rule as the whole entry point of the zone's phase. */
export const put = (phase: string, rule: unknown): Request => ['PUT', entryPoint(phase), { rules: [rule] }]

/** The rule is accepted as written: clients compare members, order and spelling. */
export function taken(name: string, phase: string, rule: Readonly<Record<string, unknown>>): Case {
  const { action_parameters: parameters, ...members } = rule
  const echoed = rule['action'] === 'execute' ? { version: 'latest', ...(parameters as object) } : parameters
  const expected = {
    ...members,
    ...(parameters === undefined ? {} : { action_parameters: new Exactly(echoed) }),
  }
  return { name, request: put(phase, rule), result: { rules: [expected] } }
}

/** The rule is refused; the pointer is below the rule. */
export function refused(
  name: string,
  phase: string,
  rule: unknown,
  code: number,
  message: string | RegExp,
  pointer?: string,
): Case {
  const below = pointer === undefined ? undefined : `/rules/0${pointer}`
  const error: Case['error'] = below === undefined ? [code, message] : [code, message, below]
  return { name, request: put(phase, rule), status: 400, error }
}

/** The general sentence of refusals. */
export const general = (value: string, field: string, reason: string) =>
  `'${value}' is not a valid value for ${field} because ${reason}`
