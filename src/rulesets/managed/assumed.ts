import type { Phase, Rule } from '../../model/resource.ts'
import type { ManagedRuleset } from '../documents/write-context.ts'
import { owaspRequestRulesetId, owaspResponseRulesetId, requestVerdictId } from './owasp.ts'
import { publicRuleIds } from './public-rule-ids.ts'
import { withBuiltInRulesets } from './url-normalization.ts'

/**
 * The managed rulesets with the rules whose ids are the same on every installation. A document can be checked against
 * them where no CRS release is at hand.
 */
export const assumedManaged: readonly ManagedRuleset[] = withBuiltInRulesets([
  assumed(owaspRequestRulesetId, 'http_request_firewall_managed', [
    ...[...publicRuleIds.values()].map(id => rule(id)),
    { ...rule(requestVerdictId), scoreThreshold: 40 },
  ]),
  assumed(owaspResponseRulesetId, 'http_response_firewall_managed', []),
])

function assumed(id: string, phase: Phase, rules: readonly Rule[]): ManagedRuleset {
  return { id, name: id, description: '', kind: 'managed', phase, version: 1, lastUpdated: '', rules }
}

function rule(id: string): Rule {
  return { id, version: 1, action: 'score', enabled: true, ref: id, lastUpdated: '' }
}
