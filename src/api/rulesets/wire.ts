import type { Rule, Ruleset, RulesetSummary } from '../../model/resource.ts'

/** Without rules, as lists show it. The scope is in the path and not repeated. */
export function rulesetSummaryToWire(ruleset: Omit<RulesetSummary, 'scope'>): object {
  return {
    id: ruleset.id,
    name: ruleset.name,
    description: ruleset.description,
    ...(ruleset.source === undefined ? {} : { source: ruleset.source }),
    kind: ruleset.kind,
    version: String(ruleset.version),
    last_updated: ruleset.lastUpdated,
    phase: ruleset.phase,
  }
}

export function rulesetToWire(ruleset: Omit<Ruleset, 'scope'>): object {
  return { ...rulesetSummaryToWire(ruleset), rules: ruleset.rules.map(ruleToWire) }
}

/** `action_parameters` and `ratelimit` are returned as sent: clients compare them with their configuration. */
function ruleToWire(rule: Rule): object {
  return {
    id: rule.id,
    version: String(rule.version),
    action: rule.action,
    ...(rule.actionParameters === undefined ? {} : { action_parameters: rule.actionParameters }),
    ...(rule.scoreThreshold === undefined ? {} : { score_threshold: rule.scoreThreshold }),
    ...(rule.categories === undefined ? {} : { categories: rule.categories }),
    ...(rule.expression === undefined ? {} : { expression: rule.expression }),
    ...(rule.ratelimit === undefined ? {} : { ratelimit: rule.ratelimit }),
    ...(rule.exposedCredentialCheck === undefined
      ? {}
      : { exposed_credential_check: rule.exposedCredentialCheck }),
    ...(rule.logging === undefined ? {} : { logging: rule.logging }),
    ...(rule.description === undefined ? {} : { description: rule.description }),
    last_updated: rule.lastUpdated,
    ref: rule.ref,
    enabled: rule.enabled,
  }
}
