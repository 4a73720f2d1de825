import type { Predicate } from '../expressions/types.ts'
import type { Ruleset, Zone } from '../model/resource.ts'
import type { Program, RuleMask } from '../waf/types.ts'
import type { RequestView } from './request-view.ts'

/** What the edge runs for one zone. Immutable; a change builds a new one aside and swaps the reference. */
export interface ZonePlan {
  readonly zone: Zone
  /** Rules of `http_request_firewall_custom`, account before zone, enabled ones only. */
  readonly custom: readonly PlanRule[]
  readonly managed: readonly PlanRule[]
  readonly response: readonly PlanRule[]
  readonly logFields: LogFields
}

export type MitigatingAction = 'block' | 'managed_challenge' | 'js_challenge' | 'challenge'
export type PlanAction = MitigatingAction | 'log'

export interface PlanRule {
  readonly id: string
  readonly rulesetId: string
  readonly rulesetVersion: string
  readonly description: string
  readonly matches: Predicate<RequestView>
  readonly effect: PlainEffect | ManagedExecution
}

export interface PlainEffect {
  readonly kind: 'action'
  readonly action: PlanAction
  /** Of `block` rules that answer with a body of their own instead of the default page. */
  readonly response?: BlockResponse
}

export interface BlockResponse {
  /** 400–499. */
  readonly status: number
  readonly content: string
  /** `text/html`, `text/plain`, `application/json` or `text/xml`. */
  readonly contentType: string
}

/** An `execute` of a managed ruleset with its overrides resolved. */
export interface ManagedExecution {
  readonly kind: 'execute'
  /** The managed ruleset. */
  readonly rulesetId: string
  readonly rulesetVersion: string
  readonly program: Program
  readonly mask: RuleMask
  /** The score at or above which `action` is taken. */
  readonly threshold: number
  readonly action: PlanAction
  /** Its last rule, which the action is attributed to. */
  readonly lastRuleId: string
  /** False when an override switched the last rule off: rules are still evaluated and recorded, nothing is done. */
  readonly acts: boolean
  /** Id of a rule in the API, by its index in the program. */
  readonly ruleIds: readonly string[]
}

/** Names to log: header names in lower case, cookie names as they are. Without duplicates. */
export interface LogFields {
  readonly request: readonly string[]
  readonly response: readonly string[]
  readonly cookies: readonly string[]
}

export interface PlanInput {
  readonly zone: Zone
  /** Entry points of the account and of the zone. */
  readonly accountEntryPoints: readonly Ruleset[]
  readonly zoneEntryPoints: readonly Ruleset[]
  /** A managed ruleset by id; `version` is `latest` or a number in text. */
  readonly managed: (rulesetId: string, version: string) => ManagedProgram | undefined
}

/** A managed ruleset and the program that runs it. */
export interface ManagedProgram {
  readonly ruleset: Omit<Ruleset, 'scope'>
  readonly program: Program
}
