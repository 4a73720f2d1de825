import type { ZonePlan } from '../../rulesets/plan.ts'
import { inspect } from '../inspect-request.ts'
import { beginShadow } from '../shadow.ts'
import type { Verdict } from '../verdict.ts'
import type { InspectionContext } from './context.ts'
import { challengeUnderAttack } from './effects.ts'
import { readBodyForExpressions } from './expression-body.ts'
import { runPhase } from './run-phase.ts'

/**
 * Runs the phases that come before the origin, in order. The first terminating action ends it.
 * @throws ClientBodyError; what an expression throws, which is a mistake of ours
 */
export async function runRequestPhases(plan: ZonePlan, context: InspectionContext): Promise<Verdict> {
  let shadowed = plan.shadow === undefined
  for (const phase of plan.request) {
    if (!shadowed && phase.phase === 'http_request_firewall_managed') {
      shadowed = true
      await beginShadow(context.core, context.exchange)
    }
    if (phase.readsBody) await readBodyForExpressions(context)
    const verdict = await runPhase(context, phase, inspect)
    if (verdict !== undefined) return verdict
    if (phase.phase === 'http_config_settings') {
      const challenge = challengeUnderAttack(context)
      if (challenge !== undefined) return challenge
    }
  }
  if (!shadowed) await beginShadow(context.core, context.exchange)
  return undefined
}
