/** Rules as the API writes them, as far as these pages look at them. Members that are not named here are kept. */

export type ListPhase = 'http_request_firewall_custom' | 'http_ratelimit' | 'http_request_firewall_managed'

export interface BlockResponse {
  readonly status_code: number
  readonly content_type: string
  readonly content: string
}

export interface SkipTarget {
  readonly rule?: string
  readonly tag?: string
  readonly ruleset?: string
  readonly collection: string
  readonly key?: string
  readonly key_pattern?: string
  readonly json_path?: string
}

export interface ActionParameters {
  readonly response?: BlockResponse
  readonly ruleset?: string
  readonly phase?: string
  readonly phases?: readonly string[]
  readonly products?: readonly string[]
  readonly rulesets?: readonly string[]
  readonly rules?: Readonly<Record<string, readonly string[]>>
  readonly targets?: readonly SkipTarget[]
  /** Of an `execute`: the ruleset. */
  readonly id?: string
}

export interface RateLimit {
  readonly characteristics: readonly string[]
  readonly period: number
  readonly requests_per_period?: number
  readonly mitigation_timeout?: number
  readonly counting_expression?: string
  readonly requests_to_origin?: boolean
  readonly score_per_period?: number
  readonly score_response_header_name?: string
}

/** What a client says about a rule. */
export interface Definition {
  readonly action: string
  readonly expression: string
  readonly description?: string
  readonly enabled: boolean
  readonly ref?: string
  readonly action_parameters?: ActionParameters
  readonly ratelimit?: RateLimit
  readonly logging?: { readonly enabled: boolean }
}

export interface Rule extends Definition {
  readonly id: string
  readonly ref: string
  readonly version: string
  readonly last_updated: string
}

/** The entry point of a phase. */
export interface Entry {
  readonly id: string
  readonly version: string
  readonly rules: readonly Rule[]
}

/** A place in a list: one of the two; an empty id is the end of the list in that direction. */
export type Position = { readonly before: string } | { readonly after: string }

/** The rule without what the server gives it, to be sent back with a change: a PATCH replaces all of it. */
export function definitionOf(rule: Rule): Definition {
  const { id: _id, version: _version, last_updated: _updated, ...definition } = rule
  return definition
}

/** What a copy is: the same, off until somebody has looked at it, and with an identity of its own. */
export function copyOf(rule: Rule): Definition {
  const { ref: _ref, ...definition } = definitionOf(rule)
  return { ...definition, description: `Copy of ${nameOf(rule)}`, enabled: false }
}

/** What people call a rule. */
export function nameOf({ description, id }: Pick<Rule, 'description' | 'id'>): string {
  return description?.trim() || `Rule ${id.slice(0, 8)}`
}

/** The order after one rule went to a place, counted from 0 in the resulting list. */
export function moved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  return items.toSpliced(from, 1).toSpliced(to, 0, items[from]!)
}

/** The place as the API takes it. It names a neighbour, so that it means the same when others have moved meanwhile. */
export function positionAt(rules: readonly Pick<Rule, 'id'>[], from: number, to: number): Position {
  const others = rules.toSpliced(from, 1)
  const before = others[to]
  return before === undefined ? { after: '' } : { before: before.id }
}
