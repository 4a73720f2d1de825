import type { EnforcedAccessRule } from '../../model/access-rule.ts'
import type { Phase } from '../../model/resource.ts'
import type { ManagedExecution, SkipEffect } from '../../rulesets/plan/plan.ts'
import type { SkippedProduct } from '../../rulesets/schemas/skip.ts'
import type { Exception } from '../../waf/types.ts'

/** The level whose entry point ruleset runs a rule. */
export type Level = 'account' | 'zone'

/** The part of a managed ruleset that is skipped for one request. */
export interface Excepted {
  readonly exceptions: readonly Exception[]
  /** The last rule is skipped, so the ruleset takes no action. */
  readonly lastRule: boolean
}

/** @source Cloudflare docs, "IP Access rules": an allowed country does not bypass managed rules */
const skippedForCountry: ReadonlySet<Phase> = new Set(['http_request_firewall_custom', 'http_ratelimit'])
const skippedForClient: ReadonlySet<Phase> = new Set([
  ...skippedForCountry,
  'http_request_firewall_managed',
  'http_response_firewall_managed',
])

const nothingExcepted: Excepted = { exceptions: [], lastRule: false }

/**
 * Matched skip rules. Each applies to the rest of the request at its own level: an account's exceptions to the rulesets
 * that the account executes, a zone's to the rulesets that the zone executes.
 */
export class Skips {
  #allowed: { readonly ruleId: string; readonly phases: ReadonlySet<Phase> } | undefined
  #matched: { readonly level: Level; readonly ruleId: string; readonly effect: SkipEffect }[] | undefined

  add(level: Level, ruleId: string, effect: SkipEffect): void {
    this.#matched ??= []
    this.#matched.push({ level, ruleId, effect })
  }

  /** An access rule allows the client: all security checks are skipped, at both levels. */
  allow({ id, target }: Pick<EnforcedAccessRule, 'id' | 'target'>): void {
    this.#allowed = { ruleId: id, phases: target === 'country' ? skippedForCountry : skippedForClient }
  }

  /** The access rule that allows the client, if it skips the phase; without a phase, the checks beside the rulesets. */
  allowedBy(phase?: Phase): string | undefined {
    const allowed = this.#allowed
    return phase === undefined || allowed?.phases.has(phase) ? allowed?.ruleId : undefined
  }

  skipsPhase(level: Level, phase: Phase): boolean {
    if (this.#allowed?.phases.has(phase)) return true
    return this.#matched?.some(skip => skip.level === level && skip.effect.phases.has(phase)) ?? false
  }

  skipsRuleset(level: Level, rulesetId: string): boolean {
    return this.#matched?.some(skip => skip.level === level && skip.effect.rulesets.has(rulesetId)) ?? false
  }

  /** A product belongs to no level: a rule of either level skips it, and an access rule that allows the client. */
  skipsProduct(product: SkippedProduct): boolean {
    if (this.#allowed !== undefined) return true
    return this.#matched?.some(skip => skip.effect.products.has(product)) ?? false
  }

  exceptedFrom(level: Level, { exceptions: known }: ManagedExecution): Excepted {
    if (this.#matched === undefined || known.size === 0) return nothingExcepted
    const exceptions: Exception[] = []
    let lastRule = false
    for (const skip of this.#matched) {
      if (skip.level !== level || !skip.effect.excepts) continue
      const skipped = known.get(skip.ruleId)
      if (skipped === undefined) continue
      exceptions.push(skipped.exception)
      lastRule ||= skipped.lastRule
    }
    return { exceptions, lastRule }
  }
}
