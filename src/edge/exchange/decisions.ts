import type { HostOrigins, ManagedExecution, PlanRule, RateLimitRule } from '../../rulesets/plan/plan.ts'
import type { RuleMatch, Transaction } from '../../waf/types.ts'
import { Skips } from './skips.ts'
import type { IncompleteReason, RecordAction } from './verdict.ts'

/** One action of a rule, as records list it. */
export interface SecurityEntry {
  readonly action: RecordAction
  readonly ruleId: string
  readonly description: string
  readonly source: SecuritySource
  /** The rule of the plan; undefined when the action comes from no rule. */
  readonly rule: PlanRule | undefined
  /** The run of a managed ruleset; undefined when the action comes from none. */
  readonly inspection: Inspection | undefined
}

/** Products, as records spell them. */
export type SecuritySource =
  | 'asn'
  | 'bic'
  | 'country'
  | 'firewallCustom'
  | 'firewallManaged'
  | 'hot'
  | 'ip'
  | 'ipRange'
  | 'rateLimit'
  | 'securityLevel'
  | 'uaBlock'
  | 'zoneLockdown'

/** One run of a managed ruleset over the request. */
export interface Inspection {
  readonly rule: PlanRule
  readonly execution: ManagedExecution
  readonly transaction: Transaction
  /** The side whose scores and matches count. */
  readonly side: 'request' | 'response'
  /** False when the last rule of the ruleset is off or skipped: then the score has no effect. */
  readonly acts: boolean
  /** The engine failed, and its transaction must not be used any more. */
  broken: boolean
  /** Number of the rule that stopped the request directly. */
  stoppedBy?: number
  /** The matched payload, encrypted. Set after the request, when the run acted and its rule has a key. */
  matchedData?: string
}

export function scoreOf({ transaction, side }: Inspection): number {
  return side === 'request' ? transaction.requestScore : transaction.responseScore
}

/** Matches of this run's side, and matches that belong to no side. */
export function matchesOf({ transaction, side }: Inspection): readonly RuleMatch[] {
  const other = side === 'request' ? 'response' : 'request'
  return transaction.matches.filter(match => match.rule.role !== other)
}

/** A switch of the zone, as a rule has set it for this request. */
export interface RuleChoice {
  readonly on: boolean
  readonly rule: PlanRule
}

/** Settings that rules have changed for this request; the zone's own settings hold where they are undefined. */
export interface RequestSettings {
  /** Clients without a clearance are challenged. */
  underAttack?: RuleChoice
  browserCheck?: RuleChoice
  hotlinkProtection?: RuleChoice
  verifiesOrigin?: boolean
  hostHeader?: string
  sni?: string
  host?: string
  port?: number
}

/** A rate limiting rule that counts the request later, at the origin or at the response. */
export interface PendingCount {
  readonly limit: RateLimitRule
  /** The key from the rule's own phase; later rewrites do not change it. */
  readonly key: string
}

/** The decisions of all rules on one request. Its record and its audit line are made from them. */
export class Decisions {
  readonly entries: SecurityEntry[] = []
  readonly inspections: Inspection[] = []
  /** The entry that ended the request, and its run. */
  terminal: SecurityEntry | undefined
  decidedBy: Inspection | undefined
  /** Only a part of a body was inspected. */
  partial = false
  /** The request may have a body, which the proxy that serves it does not show, or whose gRPC messages rules do not see. */
  bodyUnseen = false
  /** The first reason why rules were not evaluated completely. */
  incomplete: IncompleteReason | undefined
  /** Time in which the WAF engine ran for the request, ms. */
  engineMs = 0
  /** The servers for the request; set when it is forwarded. */
  origins: HostOrigins | undefined
  /** The effects of matched skip rules. */
  readonly skips = new Skips()
  /** Set by rules of `http_config_settings` and `http_request_origin`. */
  readonly settings: RequestSettings = {}
  pendingCounts: PendingCount[] | undefined
  /** End of the rate limit that the client has exceeded. */
  limitedUntilMs = 0
  /** Rate limiting rules that count responses have seen the head of this one. */
  responseCounted = false
  /** Rules for the response head failed, so the error page goes out without them. */
  headRulesFailed = false

  add(entry: SecurityEntry): void {
    this.entries.push(entry)
  }

  end(entry: SecurityEntry): void {
    this.entries.push(entry)
    this.terminal = entry
    this.decidedBy = entry.inspection
  }

  /** The rules were run for the record only. */
  forgetActions(): void {
    this.entries.length = 0
    this.terminal = undefined
    this.decidedBy = undefined
  }

  /** The run whose score and threshold are recorded: the run that acted, or the run with the highest score. */
  shownInspection(): Inspection | undefined {
    if (this.decidedBy !== undefined) return this.decidedBy
    let best: Inspection | undefined
    for (const inspection of this.inspections) {
      if (best === undefined || scoreOf(inspection) > scoreOf(best)) best = inspection
    }
    return best
  }

  /** A rule matched or acted, or the evaluation was incomplete. */
  get notable(): boolean {
    return (
      this.entries.length > 0 ||
      this.incomplete !== undefined ||
      this.inspections.some(inspection => matchesOf(inspection).length > 0)
    )
  }
}
