import type { ManagedExecution } from '../../rulesets/plan/plan.ts'
import type { Inspection } from './decisions.ts'
import type { RequestParts } from './exchange.ts'
import type { RequestFacts } from './facts.ts'
import type { Excepted } from './skips.ts'

/**
 * Work that runs beside requests, such as shadows and samples. The request path calls these methods and knows nothing
 * else of it. Background work never changes a response, and its methods never throw.
 */
export interface Background {
  /** The request has reached the managed rules of its zone, or has passed all phases without them. */
  managedRulesReached(request: RequestParts): void
  /** A managed ruleset begins to inspect the request. */
  inspectionBegun(request: RequestParts, inspection: Inspection, excepted: Excepted): void
  /** @returns whether background work will read the decoded body after the request's rules */
  needsContent(facts: RequestFacts): boolean
  /** Called before the request is recorded. @returns undefined when the record need not wait */
  beforeRecord(request: RequestParts): Promise<void> | undefined
  /** Called before the events are recorded. @returns undefined when they need not wait */
  beforeEvents(request: RequestParts): Promise<ShadowFinding | undefined> | undefined
  /** The request has ended and is recorded. Called once. */
  ended(request: RequestParts): Promise<void> | undefined
}

/** The verdict of a zone's shadow on one request. */
export interface ShadowFinding {
  readonly execution: ManagedExecution
  readonly outcome: ShadowOutcome
}

/** The form of a shadow's verdict in records. */
export interface ShadowOutcome {
  /** Version of the managed ruleset. */
  readonly version: string
  readonly paranoia_level: number
  readonly threshold: number
  readonly score: number
  /** The action that the shadow would have taken, or `none`. */
  readonly would: string
  /** Only one of the shadow and the zone's own rules acts on the request. */
  readonly differs: boolean
  /** The work budget was used up, and the remaining rules were not evaluated. */
  readonly incomplete?: true
}
