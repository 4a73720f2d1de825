import type { TracedCheck } from '../../model/request-trace.ts'
import { accessSources } from '../checks/access-rules.ts'
import type { SecuritySource } from '../exchange/decisions.ts'
import type { RequestParts } from '../exchange/exchange.ts'

/** The rules of checks beside the rulesets that acted on a request, or let it pass. */
export function tracedChecks({ facts, state, decisions }: RequestParts): readonly TracedCheck[] {
  const { accessRules, zone } = facts.plan!
  const checks: TracedCheck[] = []
  const allowing = decisions.skips.allowedBy() === undefined ? undefined : accessRules?.find(zone, state)
  if (allowing !== undefined) {
    const { id: ruleId, notes: description, target } = allowing
    const source = accessSources[target]
    checks.push({ source, before: phaseAfter(source), ruleId, description, did: 'allow' })
  }
  for (const { rule, inspection, ruleId, source, description, action } of decisions.entries) {
    if (rule !== undefined || inspection !== undefined || ruleId === '') continue
    checks.push({ source, before: phaseAfter(source), ruleId, description, did: action })
  }
  return checks
}

const ofAccessRules: ReadonlySet<SecuritySource> = new Set(Object.values(accessSources))

function phaseAfter(source: SecuritySource): TracedCheck['before'] {
  return ofAccessRules.has(source) ? 'http_request_origin' : 'http_ratelimit'
}
