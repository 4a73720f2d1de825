import type { Phase } from '../../model/resource.ts'
import type {
  ConfigureEffect,
  ListedRedirectEffect,
  PlainEffect,
  PlanRule,
  RedirectEffect,
  RouteEffect,
  SkipEffect,
} from '../../rulesets/plan/plan.ts'
import type { EdgeCore } from '../exchange/core.ts'
import type { Decisions, RequestSettings, SecurityEntry, SecuritySource } from '../exchange/decisions.ts'
import type { RequestState } from '../exchange/request-state.ts'
import type { Level } from '../exchange/skips.ts'
import { type RecordAction, recordActions, type Verdict } from '../exchange/verdict.ts'
import { applyAction } from './apply-action.ts'
import type { InspectionContext } from './context.ts'
import { listedRedirect, locationOf } from './redirect.ts'

/** Takes `block`, `log` or a challenge for a custom rule. */
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

function retryAfterSec({ core, decisions }: InspectionContext): number {
  return Math.max(1, Math.ceil((decisions.limitedUntilMs - core.deps.clock.nowMs()) / 1000))
}

/** A skip applies at once and to later phases. It is recorded unless the rule says otherwise. */
export function applySkip(
  decisions: Decisions,
  phase: Phase,
  level: Level,
  rule: PlanRule,
  effect: SkipEffect,
): 'leave-ruleset' | 'leave-phase' | undefined {
  decisions.skips.add(level, rule.id, effect)
  if (effect.logs) decisions.add(entryOf(phase, rule, 'skip'))
  if (effect.current === undefined) return undefined
  return effect.current === 'ruleset' ? 'leave-ruleset' : 'leave-phase'
}

export function applyRedirect({ limits }: EdgeCore, state: RequestState, effect: RedirectEffect): Verdict {
  const location = locationOf(effect, state, limits.rewrittenBytesMax)
  return location === undefined ? undefined : { kind: 'redirect', status: effect.status, location }
}

export function applyListedRedirect(
  { limits }: EdgeCore,
  state: RequestState,
  effect: ListedRedirectEffect,
): Verdict {
  const found = listedRedirect(effect, state, limits.rewrittenBytesMax)
  return found && { kind: 'redirect', ...found }
}

/** Applies settings at once, because no expression reads them. The last rule that sets one wins. */
export function applySettings(
  settings: RequestSettings,
  rule: PlanRule,
  effect: RouteEffect | ConfigureEffect,
): void {
  if (effect.kind === 'configure') {
    const { underAttack, browserCheck, hotlinkProtection } = effect
    if (underAttack !== undefined) settings.underAttack = { on: underAttack, rule }
    if (browserCheck !== undefined) settings.browserCheck = { on: browserCheck, rule }
    if (hotlinkProtection !== undefined) settings.hotlinkProtection = { on: hotlinkProtection, rule }
    if (effect.verifiesOrigin !== undefined) settings.verifiesOrigin = effect.verifiesOrigin
    return
  }
  if (effect.hostHeader !== undefined) settings.hostHeader = effect.hostHeader
  if (effect.sni !== undefined) settings.sni = effect.sni
  if (effect.host !== undefined) settings.host = effect.host
  if (effect.port !== undefined) settings.port = effect.port
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

/** Names of the phases with security rules in records. */
const sources: { readonly [P in Phase]?: SecuritySource } = {
  http_ratelimit: 'rateLimit',
  http_request_firewall_managed: 'firewallManaged',
  http_response_firewall_managed: 'firewallManaged',
}
