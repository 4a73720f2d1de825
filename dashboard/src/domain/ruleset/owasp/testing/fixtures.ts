import type { ExecuteParameters, ExecuteRule, ManagedRule, ManagedRuleset } from '../document.ts'
import { owaspRulesetId } from '../document.ts'

export const lastId = '6179ae15870a4bb7b2d480d4843b323c'

function scoring(id: string, number: number, level: number, ...tags: string[]): ManagedRule {
  return {
    id,
    description: `${number}: Message of ${number}`,
    enabled: true,
    action: 'score',
    action_parameters: { increment: 5 },
    categories: [`paranoia-level-${level}`, ...tags],
  }
}

/** Five rules of all levels, and the last rule. */
export const ruleset: ManagedRuleset = {
  id: owaspRulesetId,
  version: '3',
  description: 'OWASP Core Rule Set 4.28.0 for requests: …',
  rules: [
    scoring('a', 942100, 1, 'attack-sqli'),
    scoring('b', 942200, 2, 'attack-sqli', 'platform-multi'),
    scoring('c', 941300, 3, 'attack-xss'),
    scoring('d', 941400, 4, 'attack-xss', 'language-php'),
    scoring('e', 920100, 1, 'attack-protocol'),
    {
      id: lastId,
      description: '949110: Inbound Anomaly Score Exceeded',
      enabled: true,
      action: 'block',
      score_threshold: 40,
    },
  ],
}

/** A rule that executes the ruleset, in the API's form. */
export function deployment(parameters: Partial<ExecuteParameters> = {}, members: object = {}): ExecuteRule {
  return {
    id: '0'.repeat(32),
    version: '4',
    last_updated: '2026-01-02T03:04:05Z',
    ref: 'mine',
    action: 'execute',
    expression: 'true',
    enabled: true,
    action_parameters: { id: owaspRulesetId, version: 'latest', ...parameters },
    ...members,
  } as ExecuteRule
}

export const off = (category: string) => ({ category, enabled: false })
export const on = (category: string) => ({ category, enabled: true })
