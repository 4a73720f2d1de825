import { WorkExceededError } from '../../expressions/index.ts'
import type { PlanRule } from '../../rulesets/plan/plan.ts'
import { passesIncomplete } from '../exchange/core.ts'
import type { Verdict } from '../exchange/verdict.ts'
import type { InspectionContext } from './context.ts'

/**
 * Decides about a request on which a custom rule exceeded its work budget. A rule that would not have stopped the
 * request counts as not matched.
 * @throws every other error
 */
export function notEvaluated(
  { core, facts, decisions }: Pick<InspectionContext, 'core' | 'facts' | 'decisions'>,
  rule: PlanRule,
  error: unknown,
): Verdict {
  if (!(error instanceof WorkExceededError)) throw error
  decisions.incomplete ??= 'budget'
  const { effect } = rule
  const stops = effect.kind === 'action' && effect.action !== 'log'
  if (passesIncomplete(core, facts) || !stops) return undefined
  decisions.end({
    action: 'block',
    ruleId: rule.id,
    description: rule.description,
    source: effect.limit === undefined ? 'firewallCustom' : 'rateLimit',
    rule,
    inspection: undefined,
  })
  return { kind: 'incomplete', reason: 'budget' }
}
