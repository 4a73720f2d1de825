import type { Phase } from '../../model/resource.ts'
import type { ZonePlan } from '../../rulesets/plan/plan.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { inspect } from '../inspect/inspect-request.ts'
import type { InspectionContext } from '../phases/context.ts'
import { challengeUnderAttack } from '../phases/effects.ts'
import { readBodyForExpressions } from '../phases/expression-body.ts'
import { runPhase } from '../phases/run-phase.ts'

/** The phase of the managed rules, and those after it that may end a request. */
const fromManagedRules: ReadonlySet<Phase> = new Set([
  'http_request_firewall_managed',
  'http_request_redirect',
])

/**
 * Runs the request phases in order. The first terminating action ends them.
 * @throws ClientBodyError; errors of expressions, which are internal errors
 */
export async function runRequestPhases(plan: ZonePlan, context: InspectionContext): Promise<Verdict> {
  const { background } = context.core
  let announced = false
  for (const phase of plan.request) {
    if (!announced && fromManagedRules.has(phase.phase)) {
      announced = true
      background.managedRulesReached(context)
    }
    if (phase.readsBody) await readBodyForExpressions(context)
    const verdict = await runPhase(context, phase, inspect)
    if (verdict !== undefined) return verdict
    if (phase.phase === 'http_config_settings') {
      const challenge = challengeUnderAttack(context)
      if (challenge !== undefined) return challenge
    }
  }
  if (!announced) background.managedRulesReached(context)
  return undefined
}
