import { assert } from '../../kit/assert.ts'
import { idFromName } from '../../kit/ids.ts'
import type { Phase, Rule } from '../../model/resource.ts'
import type { Program, ProgramRule } from '../../waf/types.ts'
import type { ManagedRuleset } from '../documents/write-context.ts'
import { publicRuleIds } from './public-rule-ids.ts'

/** Ids that existing configurations know. @source Cloudflare's documentation of the OWASP Core Ruleset */
export const owaspRequestRulesetId = '4814384a9e5d4991b9815dcfc25d2f1f'
export const requestVerdictId = '6179ae15870a4bb7b2d480d4843b323c'

/** The response half has no counterpart at Cloudflare; its id is the same on every installation. */
export const owaspResponseRulesetId = idFromName('sluice.owasp.response')

/** "Medium and higher": the default of Cloudflare's ruleset. */
const requestThreshold = 40

/**
 * Response rules look for a few leaks, so scores do not add up as in requests: one web shell or database error
 * (critical, 5 points) is a verdict. One error-level sign such as a plain 500 page (4 points) is not.
 */
const responseThreshold = 5

/** Tags that overrides can name; other tags give a rule's position in the CRS or in other catalogues. */
const categoryPrefixes = ['attack-', 'language-', 'platform-', 'application-']

/** Facts about the release behind a program. */
export interface ReleaseFacts {
  readonly crsVersion: string
  /** Version of the managed rulesets; from 1. */
  readonly version: number
  /** ISO 8601. */
  readonly importedOn: string
}

/** One half of the CRS: request rules or response rules. */
interface Half {
  readonly id: string
  readonly name: string
  readonly subject: string
  readonly phase: Phase
  readonly role: ProgramRule['role']
  readonly verdict: { readonly id: string; readonly description: string; readonly threshold: number }
}

const halves: readonly Half[] = [
  {
    id: owaspRequestRulesetId,
    name: 'Cloudflare OWASP Core Ruleset',
    subject: 'requests',
    phase: 'http_request_firewall_managed',
    role: 'request',
    verdict: {
      id: requestVerdictId,
      description: '949110: Inbound Anomaly Score Exceeded',
      threshold: requestThreshold,
    },
  },
  {
    id: owaspResponseRulesetId,
    name: 'Sluice OWASP Response Ruleset',
    subject: 'responses',
    phase: 'http_response_firewall_managed',
    role: 'response',
    verdict: {
      id: idFromName('sluice.owasp.response.verdict'),
      description: '959100: Outbound Anomaly Score Exceeded',
      threshold: responseThreshold,
    },
  },
]

/**
 * The managed rulesets of a CRS release: its request rules and its response rules, each with a last rule that
 * compares the score. Ids depend on the CRS number alone, so overrides outlive releases.
 */
export function buildManagedRulesets(program: Program, about: ReleaseFacts): readonly ManagedRuleset[] {
  return halves.map(half => ({
    id: half.id,
    name: half.name,
    description: `OWASP Core Rule Set ${about.crsVersion} for ${half.subject}: each matching rule adds to the score, and the last rule acts when its threshold is reached.`,
    kind: 'managed',
    phase: half.phase,
    version: about.version,
    lastUpdated: about.importedOn,
    source: 'firewall_managed',
    rules: [
      ...program.rules.filter(rule => rule.role === half.role).map(rule => scoringRule(rule, about)),
      verdictRule(half, about),
    ],
  }))
}

function scoringRule(rule: ProgramRule, about: ReleaseFacts): Rule {
  return {
    id: ruleIdOf(rule),
    version: about.version,
    action: 'score',
    actionParameters: { increment: rule.score },
    description: `${rule.id}: ${rule.message}`,
    categories: categoriesOf(rule),
    enabled: true,
    ref: idFromName(`sluice.owasp.ref.${rule.id}`),
    lastUpdated: about.importedOn,
  }
}

function verdictRule({ verdict }: Half, about: ReleaseFacts): Rule {
  return {
    id: verdict.id,
    version: about.version,
    action: 'block',
    scoreThreshold: verdict.threshold,
    description: verdict.description,
    enabled: true,
    ref: idFromName(`sluice.owasp.ref.${verdict.id}`),
    lastUpdated: about.importedOn,
  }
}

/** Exactly one paranoia level (a rule without one counts as level 1), then the categories, in the rule's order. */
function categoriesOf(rule: ProgramRule): readonly string[] {
  const about = rule.tags.filter(tag => categoryPrefixes.some(prefix => tag.startsWith(prefix)))
  const names = about.map(tag => tag.replaceAll('/', '-'))
  return [`paranoia-level-${Math.max(1, rule.paranoiaLevel)}`, ...new Set(names)]
}

function ruleIdOf(rule: ProgramRule): string {
  return publicRuleIds.get(rule.id) ?? idFromName(`sluice.owasp.rule.${rule.id}`)
}

const idsByProgram = new WeakMap<Program, readonly string[]>()

/** Rule ids in the API by index; empty for `support` rules. Computed once per program, shared by all plans. */
export function ruleIdsOf(program: Program): readonly string[] {
  const known = idsByProgram.get(program)
  if (known !== undefined) return known
  const ids = program.rules.map(rule => (rule.role === 'support' ? '' : ruleIdOf(rule)))
  idsByProgram.set(program, ids)
  return ids
}

/** A last rule, which compares the score. */
export interface VerdictRule extends Rule {
  readonly scoreThreshold: number
}

export function verdictRuleOf(ruleset: ManagedRuleset): VerdictRule {
  const last = ruleset.rules.at(-1)
  assert(last?.scoreThreshold !== undefined, 'a managed ruleset ends with a rule that has a threshold')
  return last as VerdictRule
}
