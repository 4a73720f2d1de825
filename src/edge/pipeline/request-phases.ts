import { type Phase, phases } from '../../model/resource.ts'
import type { ZonePlan } from '../../rulesets/plan/plan.ts'
import { checkAccessRules } from '../checks/access-rules.ts'
import { checkClient } from '../checks/client-checks.ts'
import { checkLockdowns } from '../checks/lockdowns.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { inspect } from '../inspect/inspect-request.ts'
import type { InspectionContext } from '../phases/context.ts'
import { preparePhase } from '../phases/prepare-phase.ts'
import { runPhase } from '../phases/run-phase.ts'

/** The phase of the managed rules, and those after it that may end a request. */
const fromManagedRules: ReadonlySet<Phase> = new Set([
  'http_request_firewall_managed',
  'http_request_redirect',
])

/** A security check beside the rulesets. */
interface Check {
  /** The first phase after it; the phase itself may have no rules. */
  readonly before: Phase
  readonly run: (context: InspectionContext) => Verdict
}

/** In order. */
const checks: readonly Check[] = [
  { before: 'http_request_origin', run: checkAccessRules },
  // After the custom rules, which can skip them.
  { before: 'http_ratelimit', run: checkLockdowns },
  { before: 'http_ratelimit', run: checkClient },
]

/**
 * Runs the request phases and the checks between them in order. The first terminating action ends them.
 * @throws ClientBodyError; errors of expressions, which are internal errors
 */
export async function runRequestPhases(plan: ZonePlan, context: InspectionContext): Promise<Verdict> {
  const { background } = context.core
  let announced = false
  let next = 0
  const checkUntil = (phase?: Phase): Verdict => {
    for (let check = checks[next]; check !== undefined && precedes(check, phase); check = checks[++next]) {
      const verdict = check.run(context)
      if (verdict !== undefined) return verdict
    }
    return undefined
  }
  for (const phase of plan.request) {
    const refused = checkUntil(phase.phase)
    if (refused !== undefined) return refused
    if (!announced && fromManagedRules.has(phase.phase)) {
      announced = true
      background.managedRulesReached(context)
    }
    const span = context.span?.child(phase.phase, 'internal')
    try {
      const prepared = preparePhase(context, phase)
      if (prepared !== undefined) await prepared
      const verdict = await runPhase(context, phase, inspect)
      if (verdict !== undefined) return verdict
    } finally {
      span?.end()
    }
  }
  const refused = checkUntil()
  if (refused !== undefined) return refused
  if (!announced) background.managedRulesReached(context)
  return undefined
}

function precedes({ before }: Check, phase: Phase | undefined): boolean {
  return phase === undefined || phases.indexOf(phase) >= phases.indexOf(before)
}
