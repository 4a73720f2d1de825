import type { JsonObject, ListKind } from '../../model/resource.ts'
import type { EventPlace, TimeRange } from '../types.ts'

/** What a skip rule would take out of the managed rules of a zone. */
export interface PreviewedSkip {
  /** Ids of managed rulesets that would not run at all; `all` for every one. */
  readonly rulesets: 'all' | readonly string[]
  /** Managed ruleset id → ids of its rules that would not run. */
  readonly rules: Readonly<Record<string, readonly string[]>>
  readonly targets: readonly PreviewedTarget[]
}

/** Values that rules would not look at. */
export interface PreviewedTarget {
  readonly ruleset: string
  /** Ids of rules. */
  readonly rules: readonly string[]
  /** Upper case. */
  readonly collection: string
  /** Of the value inside the collection; absent: all of it. Case does not count. */
  readonly key?: string
  /** Searched in the key. */
  readonly keyPattern?: string
}

export interface PreviewQuestion {
  readonly range: TimeRange
  /** Checked already. */
  readonly expression: string
  /** Lists that the expression names, by `type name`. */
  readonly lists: Readonly<Record<string, { readonly kind: ListKind; readonly items: readonly JsonObject[] }>>
  readonly skip: PreviewedSkip
  /** Last rules of managed rulesets: those that compare the score. */
  readonly lastRules: readonly string[]
  /** Events before this place only. */
  readonly before?: EventPlace
}

/**
 * What would become of one recorded event.
 * - `let_through`: it was held up, and would not be any more
 * - `possibly_let_through`: so, when the rules match nowhere but where the event says
 * - `still_held_up`: other rules reach the threshold
 * - `not_held_up`: it was only logged, or a challenge was passed
 * - `unaffected`: it comes from a rule that the skip does not touch
 * - `undecided`: it would be let through if the expression holds, which the event does not say
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
  readonly place: EventPlace
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
  /** Fields that the event does not record and the expression asks about. */
  readonly unknownFields: readonly string[]
}

/** Of some events, newest first; the rest begins at `next`. */
export interface PreviewPage {
  readonly events: number
  /** Events that the expression matches. */
  readonly matched: number
  readonly outcomes: Readonly<Record<PreviewOutcome, number>>
  /** Events that are undecided for want of a field, by its name. */
  readonly unknownFields: Readonly<Record<string, number>>
  /** The newest few of each outcome. */
  readonly examples: readonly PreviewExample[]
  readonly next: EventPlace | undefined
}
