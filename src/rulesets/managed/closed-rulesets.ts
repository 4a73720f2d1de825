import type { Problem } from '../../model/problem.ts'
import type { RulesetPhase, RulesetSummary } from '../../model/resource.ts'
import { hasNoMeaning } from '../problems.ts'

/** A managed ruleset of Cloudflare's whose rules are not public: nothing here executes it. */
export type ClosedRuleset = Omit<RulesetSummary, 'scope'> & {
  /** Zones do not list rulesets that read packets. */
  readonly accountOnly: boolean
}

const firewall = 'http_request_firewall_managed'

/** As the API of Cloudflare lists them, so that clients find them by name; the descriptions are ours. @source Cloudflare's rulesets documentation */
export const closedRulesets: readonly ClosedRuleset[] = [
  closed(
    'efb7b8c949ac4650a09736fc376e9aee',
    'Cloudflare Managed Ruleset',
    firewall,
    'Cloudflare rules against attacks on web applications',
  ),
  closed(
    'c2e184081120413c86c3ab7e14069605',
    'Cloudflare Exposed Credentials Check Ruleset',
    firewall,
    'Cloudflare rules for logins with stolen credentials',
  ),
  closed(
    '77454fe2d30c4220b5701f6fdfb893ba',
    'Cloudflare Managed Free Ruleset',
    firewall,
    'Cloudflare rules against common attacks, for free zones',
  ),
  closed(
    'e22d83c647c64a3eae91b71b499d988e',
    'Cloudflare Sensitive Data Detection',
    'http_response_firewall_managed',
    'Cloudflare rules for sensitive data in responses',
  ),
  closed(
    '4d21379b4f9f4bb088e0729962c8b3cf',
    'DDoS L7 ruleset',
    'ddos_l7',
    'Cloudflare rules against HTTP floods',
  ),
  closed(
    '3e677e63d4e9479382576f3fa66279e7',
    'Cloudflare Bot Management rules for all plans',
    'http_request_sbfm',
    'Cloudflare rules for bots',
  ),
  {
    ...closed(
      '3b64149bfa6e4220bbbc2bd6db589552',
      'Cloudflare L3/4 DDoS Ruleset',
      'ddos_l4',
      'Cloudflare rules against packet floods',
    ),
    accountOnly: true,
  },
]

/** The closed ruleset with this id: a rule that executes it does nothing here. */
export function closedRuleset(id: string): ClosedRuleset | undefined {
  return closedRulesets.find(ruleset => ruleset.id === id)
}

/** Why the ruleset does nothing here. */
export function closedProblem({ id, name }: ClosedRuleset, pointer = ''): Problem {
  return hasNoMeaning('id', id, `the rules of the ${name} belong to Cloudflare`, pointer)
}

function closed(id: string, name: string, phase: RulesetPhase, description: string): ClosedRuleset {
  return {
    id,
    name,
    description,
    kind: 'managed',
    phase,
    version: 1,
    lastUpdated: '2026-05-01T00:00:00.000000Z',
    source: 'firewall_managed',
    accountOnly: false,
  }
}
