import type { PlanAction, ZonePlan } from '../../rulesets/plan/plan.ts'
import type { SkippedProduct } from '../../rulesets/schemas/skip.ts'
import type { SecuritySource } from '../exchange/decisions.ts'
import type { RequestState } from '../exchange/request-state.ts'
import { type CheckPage, recordActions, type Verdict } from '../exchange/verdict.ts'
import { applyAction } from '../phases/apply-action.ts'
import type { InspectionContext } from '../phases/context.ts'
import { browserCheck } from './browser-check.ts'
import { isHotlink } from './hotlink.ts'

/** A check that a zone switches on, and rules of `http_config_settings` for single requests. */
interface ClientCheck {
  readonly setting: 'browserCheck' | 'hotlinkProtection' | 'underAttack'
  /** Its name in skip rules, and in records. */
  readonly product: SkippedProduct & SecuritySource
  /** Its id in records, where the zone has switched it on and not a rule. */
  readonly ruleId: string
  readonly description: string
  /** Of a block. */
  readonly page: CheckPage | undefined
  /** @returns undefined for a request that passes */
  readonly check: (state: RequestState, plan: ZonePlan) => PlanAction | undefined
}

/** In the order in which they run. @source Cloudflare API, zone settings */
const checks: readonly ClientCheck[] = [
  {
    setting: 'browserCheck',
    product: 'bic',
    ruleId: 'bic',
    description: 'Browser Integrity Check',
    page: 'browser-block',
    check: ({ request }) => browserCheck(request.header('user-agent')),
  },
  {
    setting: 'hotlinkProtection',
    product: 'hot',
    ruleId: 'hot',
    description: 'Hotlink Protection',
    page: 'hotlink',
    check: (state, { zone }) => (isHotlink(state, zone.name) ? 'block' : undefined),
  },
  {
    setting: 'underAttack',
    product: 'securityLevel',
    ruleId: 'iuam',
    description: 'Under Attack mode',
    page: undefined,
    check: () => 'managed_challenge',
  },
]

/**
 * Runs the checks of the zone's settings. The first action other than a bypassed challenge ends the request. A client that
 * an access rule allows passes.
 */
export function checkClient(context: InspectionContext): Verdict {
  const { plan } = context.facts
  if (plan === undefined || plan.zone.paused || context.decisions.skips.allowedBy() !== undefined)
    return undefined
  for (const check of checks) {
    const verdict = run(check, plan, context)
    if (verdict !== undefined) return verdict
  }
  return undefined
}

function run(check: ClientCheck, plan: ZonePlan, context: InspectionContext): Verdict {
  const { state, decisions } = context
  const chosen = decisions.settings[check.setting]
  const isOn = chosen?.on ?? plan.settings[check.setting]
  if (!isOn || decisions.skips.skipsProduct(check.product)) return undefined
  const action = check.check(state, plan)
  if (action === undefined) return undefined
  return applyAction(
    context,
    action,
    {
      action: recordActions[action],
      ruleId: chosen?.rule.id ?? check.ruleId,
      description: chosen?.rule.description ?? check.description,
      source: check.product,
      rule: chosen?.rule,
      inspection: undefined,
    },
    check.page,
  )
}
