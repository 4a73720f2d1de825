import type { ManagedExecution, PlanRule } from '../rulesets/plan.ts'
import type { RuleMatch, Transaction } from '../waf/types.ts'
import type { IncompleteReason, RecordAction } from './verdict.ts'

/** One action taken, as records list it. */
export interface SecurityEntry {
  readonly action: RecordAction
  readonly ruleId: string
  readonly description: string
  readonly source: SecuritySource
  /** The rule of the plan that it comes from; undefined when it comes from none. */
  readonly rule: PlanRule | undefined
  /** The run of a managed ruleset that it comes from. */
  readonly inspection: Inspection | undefined
}

/** Products as records spell them. */
export type SecuritySource = 'firewallCustom' | 'firewallManaged' | 'rateLimit' | 'securityLevel'

/** One run of a managed ruleset over this request. */
export interface Inspection {
  readonly rule: PlanRule
  readonly execution: ManagedExecution
  readonly transaction: Transaction
  /** Which of the transaction's scores and matches count. */
  readonly side: 'request' | 'response'
  /** False when its last rule is switched off, or skipped: nothing is done, whatever the score. */
  readonly acts: boolean
  /** The engine failed: its transaction is not to be asked for anything more. */
  broken: boolean
  /** Number of the rule that stopped the request by itself. */
  stoppedBy?: number
  /** What matched, encrypted; there once the request has ended, when it acted and its rule has a key. */
  matchedData?: string
}

export function scoreOf({ transaction, side }: Inspection): number {
  return side === 'request' ? transaction.requestScore : transaction.responseScore
}

/** Matches of this run's side, and what belongs to no side. */
export function matchesOf({ transaction, side }: Inspection): readonly RuleMatch[] {
  const other = side === 'request' ? 'response' : 'request'
  return transaction.matches.filter(match => match.rule.role !== other)
}

/** What the rules found and did with one request; the record and the audit line are made from it. */
export class Ledger {
  readonly entries: SecurityEntry[] = []
  readonly inspections: Inspection[] = []
  /** The entry that ended the request, and the run it came from. */
  terminal: SecurityEntry | undefined
  decidedBy: Inspection | undefined
  /** A body was longer than what is inspected. */
  partial = false
  /** Rules were not evaluated to the end; the first reason. */
  incomplete: IncompleteReason | undefined

  add(entry: SecurityEntry): void {
    this.entries.push(entry)
  }

  end(entry: SecurityEntry): void {
    this.entries.push(entry)
    this.terminal = entry
    this.decidedBy = entry.inspection
  }

  /** The rules only looked on. */
  forgetActions(): void {
    this.entries.length = 0
    this.terminal = undefined
    this.decidedBy = undefined
  }

  /** The run whose score and threshold are shown: the one that acted, else the one with the highest score. */
  shownInspection(): Inspection | undefined {
    if (this.decidedBy !== undefined) return this.decidedBy
    let best: Inspection | undefined
    for (const inspection of this.inspections) {
      if (best === undefined || scoreOf(inspection) > scoreOf(best)) best = inspection
    }
    return best
  }

  /** Did any rule match, or anything happen? */
  get notable(): boolean {
    return (
      this.entries.length > 0 ||
      this.incomplete !== undefined ||
      this.inspections.some(inspection => matchesOf(inspection).length > 0)
    )
  }
}
