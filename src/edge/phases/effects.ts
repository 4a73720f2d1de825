import type { Phase } from '../../model/resource.ts'
import type {
  ConfigureEffect,
  PlainEffect,
  PlanRule,
  RedirectEffect,
  RouteEffect,
  SkipEffect,
} from '../../rulesets/plan.ts'
import type { Exchange } from '../exchange.ts'
import type { SecurityEntry, SecuritySource } from '../ledger.ts'
import { type RecordAction, recordActions, type Verdict } from '../verdict.ts'
import { applyAction } from './apply-action.ts'
import type { InspectionContext } from './context.ts'
import { locationOf } from './redirect.ts'
import type { Level } from './skips.ts'

/** `block`, `log` and the challenges, of rules of one's own. */
export function takeAction(
  context: InspectionContext,
  phase: Phase,
  rule: PlanRule,
  { action, response, limit }: PlainEffect,
): Verdict {
  const verdict = applyAction(context, action, entryOf(phase, rule, recordActions[action]))
  if (verdict === undefined || verdict.action !== 'block') return verdict
  return {
    ...verdict,
    ...(response !== undefined && { response }),
    ...(limit !== undefined && { retryAfterSec: retryAfterSec(context) }),
  }
}

function retryAfterSec({ core, exchange }: InspectionContext): number {
  return Math.max(1, Math.ceil((exchange.limitedUntilMs - core.deps.clock.nowMs()) / 1000))
}

/** At once and for later phases; a request that is let past is recorded unless the rule says otherwise. */
export function applySkip(
  exchange: Exchange,
  phase: Phase,
  level: Level,
  rule: PlanRule,
  effect: SkipEffect,
): 'leave-ruleset' | 'leave-phase' | undefined {
  exchange.skips.add(level, rule.id, effect)
  if (effect.logs) exchange.ledger.add(entryOf(phase, rule, 'skip'))
  if (effect.current === undefined) return undefined
  return effect.current === 'ruleset' ? 'leave-ruleset' : 'leave-phase'
}

export function applyRedirect({ core, exchange }: InspectionContext, effect: RedirectEffect): Verdict {
  const location = locationOf(effect, exchange.state, core.limits.rewrittenBytesMax)
  return location === undefined ? undefined : { kind: 'redirect', status: effect.status, location }
}

/** No expression can ask about these, so they hold at once; the last rule that sets one counts. */
export function applySettings(
  { settings }: Exchange,
  rule: PlanRule,
  effect: RouteEffect | ConfigureEffect,
): void {
  if (effect.kind === 'configure') {
    if (effect.underAttack !== undefined) settings.underAttack = effect.underAttack ? rule : undefined
    if (effect.verifiesOrigin !== undefined) settings.verifiesOrigin = effect.verifiesOrigin
    return
  }
  if (effect.hostHeader !== undefined) settings.hostHeader = effect.hostHeader
  if (effect.sni !== undefined) settings.sni = effect.sni
  if (effect.host !== undefined) settings.host = effect.host
  if (effect.port !== undefined) settings.port = effect.port
}

/** Under attack, a client needs a clearance whatever it asks for. */
export function challengeUnderAttack(context: InspectionContext): Verdict {
  const rule = context.exchange.settings.underAttack
  if (rule === undefined) return undefined
  return applyAction(context, 'js_challenge', entryOf('http_config_settings', rule, 'jschallenge'))
}

function entryOf(phase: Phase, rule: PlanRule, action: RecordAction): SecurityEntry {
  const { id: ruleId, description } = rule
  return {
    action,
    ruleId,
    description,
    source: sources[phase] ?? 'firewallCustom',
    rule,
    inspection: undefined,
  }
}

/** What records name the phases with security rules by. */
const sources: { readonly [P in Phase]?: SecuritySource } = {
  http_config_settings: 'securityLevel',
  http_ratelimit: 'rateLimit',
  http_request_firewall_managed: 'firewallManaged',
  http_response_firewall_managed: 'firewallManaged',
}
