/** Rules in the API's form, as far as these pages use them. Other members are kept. */

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
  /** Id of the ruleset that an `execute` rule runs. */
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

/** The members of a rule that clients set. */
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

/** A position in a list: one of the two members; an empty id is that end of the list. */
export type Position = { readonly before: string } | { readonly after: string }

/** The rule without members that the server sets, for a PATCH, which replaces all of it. */
export function definitionOf(rule: Rule): Definition {
  const { id: _id, version: _version, last_updated: _updated, ...definition } = rule
  return definition
}

/** The definition of a copy: disabled, with its own identity. */
export function copyOf(rule: Rule): Definition {
  const { ref: _ref, ...definition } = definitionOf(rule)
  return { ...definition, description: `Copy of ${nameOf(rule)}`, enabled: false }
}

/** The display name of a rule. */
export function nameOf({ description, id }: Pick<Rule, 'description' | 'id'>): string {
  return description?.trim() || `Rule ${id.slice(0, 8)}`
}

/** The order after one rule moved to an index of the resulting list. */
export function moved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  return items.toSpliced(from, 1).toSpliced(to, 0, items[from]!)
}

/** The position in the API's form. It names a neighbour, so that it stays right when others move rules. */
export function positionAt(rules: readonly Pick<Rule, 'id'>[], from: number, to: number): Position {
  const others = rules.toSpliced(from, 1)
  const before = others[to]
  return before === undefined ? { after: '' } : { before: before.id }
}
