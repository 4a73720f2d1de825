/** Members of rulesets that configure the managed ruleset, in the API's form. Other members are kept. */

export const owaspRulesetId = '4814384a9e5d4991b9815dcfc25d2f1f'
export const managedPhase = 'http_request_firewall_managed'

export type ManagedAction = 'block' | 'managed_challenge' | 'js_challenge' | 'log' | 'challenge'

export interface OverrideMembers {
  action?: ManagedAction
  enabled?: boolean
}

export interface CategoryOverride extends OverrideMembers {
  category: string
}

export interface RuleOverride extends OverrideMembers {
  id: string
  score_threshold?: number
}

export interface Overrides extends OverrideMembers {
  categories?: CategoryOverride[]
  rules?: RuleOverride[]
}

export interface ExecuteParameters {
  id: string
  version?: string
  overrides?: Overrides
  matched_data?: { public_key: string }
}

/** A rule that executes the managed ruleset. */
export interface ExecuteRule {
  readonly id?: string
  action: 'execute'
  action_parameters: ExecuteParameters
  expression: string
  enabled?: boolean
  description?: string
}

/** A rule inside the managed ruleset. */
export interface ManagedRule {
  readonly id: string
  readonly description?: string
  readonly enabled: boolean
  readonly categories?: readonly string[]
  readonly action: string
  readonly action_parameters?: { readonly increment?: number }
  /** Only the last rule has one. */
  readonly score_threshold?: number
}

/** One version of the managed ruleset. */
export interface ManagedRuleset {
  readonly id: string
  readonly version: string
  readonly description: string
  readonly rules: readonly ManagedRule[]
}

export interface EntryPoint {
  readonly id: string
  readonly version: string
  readonly rules: readonly unknown[]
}

/** The last rule, which compares the score. Its values are the ruleset's defaults. */
export interface VerdictRule {
  readonly id: string
  readonly threshold: number
  readonly action: ManagedAction
}

export function verdictOf({ rules }: ManagedRuleset): VerdictRule {
  const last = rules.findLast(rule => rule.score_threshold !== undefined)
  if (last === undefined) throw new Error('the last rule of the managed ruleset has no threshold')
  return { id: last.id, threshold: last.score_threshold!, action: last.action as ManagedAction }
}

/** Rules that add to the score. */
export function scoringRules(ruleset: ManagedRuleset): readonly ManagedRule[] {
  return ruleset.rules.filter(rule => rule.score_threshold === undefined)
}

/** Rules of an entry point that execute the OWASP ruleset, in order; nearly every zone has one. */
export function deploymentsIn(entryPoint: EntryPoint | undefined): readonly ExecuteRule[] {
  return (entryPoint?.rules ?? []).filter(isDeployment)
}

function isDeployment(rule: unknown): rule is ExecuteRule {
  const { action, action_parameters } = rule as Partial<ExecuteRule>
  return action === 'execute' && action_parameters?.id === owaspRulesetId
}

/** `942100: SQL Injection …` → its CRS number and message. */
export function numberAndMessage({ description = '' }: ManagedRule): {
  readonly number: string
  readonly message: string
} {
  const found = /^(\d+):\s*(.*)$/s.exec(description)
  return found === null ? { number: '', message: description } : { number: found[1]!, message: found[2]! }
}

/** `OWASP Core Rule Set 4.28.0 for requests: …` → `4.28.0`; undefined for other descriptions. */
export function crsVersionOf({ description }: { readonly description: string }): string | undefined {
  return /Core Rule Set (\S+) for/.exec(description)?.[1]
}

const levelTag = /^paranoia-level-([1-4])$/

/** 1–4 for the tag of a paranoia level, undefined for other tags. */
export function levelOfTag(tag: string): number | undefined {
  const found = levelTag.exec(tag)
  return found === null ? undefined : Number(found[1])
}

export function levelOfRule({ categories = [] }: ManagedRule): number {
  return categories.map(levelOfTag).find(level => level !== undefined) ?? 1
}
