import type { JsonObject, ListKind } from '../../model/resource.ts'
import type { UrlNormalization } from '../../model/zone-settings.ts'
import type { EventPosition, TimeRange } from '../positions.ts'

/** The exceptions that a skip rule would make from the managed rules of a zone. */
export interface PreviewedSkip {
  /** Ids of managed rulesets that would be skipped as a whole; `all` for every one. */
  readonly rulesets: 'all' | readonly string[]
  /** Managed ruleset id → ids of its skipped rules. */
  readonly rules: Readonly<Record<string, readonly string[]>>
  readonly targets: readonly PreviewedTarget[]
}

/** Values that rules would not inspect. */
export interface PreviewedTarget {
  readonly ruleset: string
  /** Ids of rules. */
  readonly rules: readonly string[]
  /** Upper case. */
  readonly collection: string
  /** Key of the value in the collection; absent: every value. Case-insensitive. */
  readonly key?: string
  /** Pattern that the key must contain. */
  readonly keyPattern?: string
}

export interface PreviewQuery {
  readonly range: TimeRange
  /** Already checked. */
  readonly expression: string
  /** Lists that the expression names, by `type name`. */
  readonly lists: Readonly<Record<string, { readonly kind: ListKind; readonly items: readonly JsonObject[] }>>
  readonly skip: PreviewedSkip
  /** How the zone normalises paths for expressions; absent: not at all. */
  readonly normalization?: UrlNormalization['type']
  /** Last rules of managed rulesets, which compare the score. */
  readonly lastRules: readonly string[]
  /** Only events before this position. */
  readonly before?: EventPosition
}

/**
 * The outcome of one recorded event with the skip.
 *
 * - `let_through`: it was mitigated, and would no longer be
 * - `possibly_let_through`: the same, if the rules match only where the event says
 * - `still_held_up`: other rules reach the threshold
 * - `not_held_up`: it was only logged, or a challenge was passed
 * - `unaffected`: it comes from a rule that the skip does not affect
 * - `undecided`: it would be let through if the expression matches, which the event does not show
 */
export type PreviewOutcome =
  | 'let_through'
  | 'possibly_let_through'
  | 'still_held_up'
  | 'not_held_up'
  | 'unaffected'
  | 'undecided'

export interface PreviewedRule {
  readonly id: string
  readonly ref: string
  readonly score: number
  readonly target: string
  readonly skipped: boolean
}

export interface PreviewExample {
  readonly position: EventPosition
  readonly outcome: PreviewOutcome
  readonly timeMs: number
  readonly ray: string
  readonly client: string
  readonly country: string
  readonly host: string
  readonly method: string
  readonly path: string
  readonly action: string
  readonly rule: string
  readonly score: number
  readonly remainingScore: number
  readonly threshold: number
  readonly rules: readonly PreviewedRule[]
  /** Fields of the expression that the event does not record. */
  readonly unknownFields: readonly string[]
}

/** Outcomes of some events, newest first; the next page begins at `next`. */
export interface PreviewPage {
  readonly events: number
  /** Events that the expression matches. */
  readonly matched: number
  readonly outcomes: Readonly<Record<PreviewOutcome, number>>
  /** Undecided events by the name of the missing field. */
  readonly unknownFields: Readonly<Record<string, number>>
  /** The newest few of each outcome. */
  readonly examples: readonly PreviewExample[]
  readonly next: EventPosition | undefined
}
