import type { BlockResponse, MitigatingAction, PlanAction } from '../../rulesets/plan/plan.ts'
import type { Interruption } from '../../waf/types.ts'
import type { ChallengeAction } from '../challenge/proof-of-work.ts'
import type { CodingFault } from '../message/content-coding.ts'

/** The action that rules take on a request; undefined lets it continue. */
export type Verdict =
  | ActionVerdict
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  /** A rule of the SecLang sources stops the request directly. */
  | { readonly kind: 'interrupt'; readonly interruption: Interruption }
  /** The rules were not evaluated completely, and such requests are refused. */
  | { readonly kind: 'incomplete'; readonly reason: IncompleteReason }
  /** The body cannot be inspected completely, and such requests are refused. */
  | { readonly kind: 'uninspected'; readonly reason: UninspectedReason }
  | undefined

/** Pages of blocks by the checks beside the rulesets. */
export type CheckPage =
  | 'ip-block'
  | 'network-block'
  | 'country-block'
  | 'locked-down'
  | 'browser-block'
  | 'hotlink'

export interface ActionVerdict {
  readonly kind: 'action'
  readonly action: MitigatingAction
  readonly response?: BlockResponse
  /** The page of a block, if it is not the one of rules. */
  readonly page?: CheckPage
  /** The client exceeded a rate limit that ends after this many seconds. */
  readonly retryAfterSec?: number
}

/** Why rules were not evaluated completely: the request's work budget was used up, or the engine failed. */
export type IncompleteReason = 'budget' | 'error'

/** Why a body was not inspected: it is too long, its content coding is unknown, or its coding is invalid. */
export type UninspectedReason = 'too-long' | CodingFault

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

/** Actions for a client whose clearance bypasses the challenge. */
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
