import type { BlockResponse, MitigatingAction, PlanAction } from '../rulesets/plan.ts'
import type { Interruption } from '../waf/types.ts'

/** What the rules want done with a request; undefined lets it go on. */
export type Verdict =
  | ActionVerdict
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  /** A rule of the sources asked for an answer of its own. */
  | { readonly kind: 'interrupt'; readonly interruption: Interruption }
  /** The rules were not evaluated to the end, and such requests are refused. */
  | { readonly kind: 'incomplete'; readonly reason: IncompleteReason }
  | undefined

export interface ActionVerdict {
  readonly kind: 'action'
  readonly action: MitigatingAction
  readonly response?: BlockResponse
  /** The client went beyond a rate limit, which ends after so many seconds. */
  readonly retryAfterSec?: number
}

/** Why rules were not evaluated to the end: the request's work budget was used up, or the engine failed. */
export type IncompleteReason = 'budget' | 'error'

/** Actions as `http_requests` records spell them. */
export type RecordAction =
  | 'block'
  | 'log'
  | 'challenge'
  | 'jschallenge'
  | 'managedChallenge'
  | 'connectionClose'
  | 'skip'
  | 'challengeBypassed'
  | 'jschallengeBypassed'
  | 'managedChallengeBypassed'
  | 'challengeSolved'
  | 'jschallengeSolved'
  | 'managedChallengeNonInteractiveSolved'

export const recordActions: { readonly [A in PlanAction]: RecordAction } = {
  block: 'block',
  log: 'log',
  challenge: 'challenge',
  js_challenge: 'jschallenge',
  managed_challenge: 'managedChallenge',
}

export type ChallengeAction = Exclude<MitigatingAction, 'block'>

/** A client with a clearance went past the challenge. */
export const bypassActions: { readonly [A in ChallengeAction]: RecordAction } = {
  challenge: 'challengeBypassed',
  js_challenge: 'jschallengeBypassed',
  managed_challenge: 'managedChallengeBypassed',
}

export const solvedActions: { readonly [A in ChallengeAction]: RecordAction } = {
  challenge: 'challengeSolved',
  js_challenge: 'jschallengeSolved',
  managed_challenge: 'managedChallengeNonInteractiveSolved',
}
