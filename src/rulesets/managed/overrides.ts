import type { Rule } from '../../model/resource.ts'
import type { RuleMask } from '../../waf/types.ts'
import type { ManagedProgram, PlanAction } from '../plan/plan.ts'
import { ruleIdsOf, verdictRuleOf } from './owasp.ts'

/** Overrides in the API's form, checked when they were written. */
export interface Overrides extends OverrideMembers {
  readonly categories?: readonly CategoryOverride[]
  readonly rules?: readonly RuleOverride[]
}

export interface OverrideMembers {
  readonly action?: PlanAction
  readonly enabled?: boolean
}

export interface CategoryOverride extends OverrideMembers {
  readonly category: string
}

export interface RuleOverride extends OverrideMembers {
  readonly id: string
  readonly score_threshold?: number
}

/** The effect of overrides on an `execute`. */
export interface ResolvedOverrides {
  /** The ruleset's rules as overridden; detection rules of other rulesets are off. */
  readonly mask: RuleMask
  readonly threshold: number
  readonly action: PlanAction
  /** False when the last rule is off. */
  readonly acts: boolean
}

/**
 * Applies overrides, property by property: rule before tag (the last one in the array that names a tag of the rule)
 * before ruleset before the rule's own setting. Scoring rules score regardless of the action in an override.
 * Evaluated when a plan is built, so that they also hold for rules that a later release brings.
 * @source Rulesets API reference, "Overrides: precedence"
 */
export function resolveOverrides(managed: ManagedProgram, overrides: Overrides): ResolvedOverrides {
  const setting = settingOf(overrides)
  const { ruleset, program } = managed
  const rules = rulesByIndex(managed)
  const mask = program.mask(({ role, index }) => {
    if (role === 'support') return false
    const rule = rules[index]
    return rule === undefined || !(setting(rule, 'enabled') ?? rule.enabled)
  })
  const verdict = verdictRuleOf(ruleset)
  const ownThreshold = overrides.rules?.findLast(
    ({ id, score_threshold }) => id === verdict.id && score_threshold !== undefined,
  )
  return {
    mask,
    threshold: ownThreshold?.score_threshold ?? verdict.scoreThreshold,
    action: setting(verdict, 'action') ?? (verdict.action as PlanAction),
    acts: setting(verdict, 'enabled') ?? verdict.enabled,
  }
}

interface IndexedRules {
  readonly program: ManagedProgram['program']
  readonly rules: readonly (Rule | undefined)[]
}

const indexedRules = new WeakMap<ManagedProgram['ruleset'], IndexedRules>()

/** Rules of a managed ruleset by their index in the program; undefined for others. Made once, shared by all plans. */
export function rulesByIndex({ ruleset, program }: ManagedProgram): IndexedRules['rules'] {
  const known = indexedRules.get(ruleset)
  if (known?.program === program) return known.rules
  const byId = new Map(ruleset.rules.map(rule => [rule.id, rule]))
  const rules = ruleIdsOf(program).map(id => byId.get(id))
  indexedRules.set(ruleset, { program, rules })
  return rules
}

/** The overrides' value of one property of a rule; undefined without one. */
type Setting = <K extends keyof OverrideMembers>(rule: Rule, name: K) => OverrideMembers[K]

export function settingOf(overrides: Overrides): Setting {
  const ruleOverrides = new Map<string, RuleOverride>()
  for (const entry of overrides.rules ?? []) {
    ruleOverrides.set(entry.id, { ...ruleOverrides.get(entry.id), ...entry })
  }
  const lastCategories = {
    action: lastIndexes(overrides.categories ?? [], 'action'),
    enabled: lastIndexes(overrides.categories ?? [], 'enabled'),
  }
  return (rule, name) => {
    const own = ruleOverrides.get(rule.id)?.[name]
    if (own !== undefined) return own
    const index = lastIndex(rule.categories ?? [], lastCategories[name])
    return index < 0 ? overrides[name] : overrides.categories![index]![name]
  }
}

/** Tag → index of the last category override that sets the property. */
function lastIndexes(
  categories: readonly CategoryOverride[],
  name: keyof OverrideMembers,
): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>()
  for (const [index, override] of categories.entries()) {
    if (override[name] !== undefined) indexes.set(override.category, index)
  }
  return indexes
}

/** Index of the last override of one of the tags; -1 without one. */
function lastIndex(tags: readonly string[], indexes: ReadonlyMap<string, number>): number {
  let last = -1
  for (const tag of tags) last = Math.max(last, indexes.get(tag) ?? -1)
  return last
}
