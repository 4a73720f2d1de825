import { levelOfTag, type ManagedRule, type Overrides } from './document.ts'

/** Overrides that enable or disable a rule. */
export type Reason =
  | { readonly by: 'default' }
  | { readonly by: 'ruleset' }
  | { readonly by: 'rule' }
  | { readonly by: 'level'; readonly tag: string }
  | { readonly by: 'tag'; readonly tag: string }

export interface RuleState {
  readonly on: boolean
  readonly reason: Reason
}

/**
 * Whether rules are enabled, with the edge's precedence: the rule’s own override, then the last override of
 * one of its tags, then the ruleset’s override, then the rule’s default.
 */
export function effectiveStates(overrides: Overrides = {}): (rule: ManagedRule) => RuleState {
  const own = new Map<string, boolean>()
  for (const { id, enabled } of overrides.rules ?? []) if (enabled !== undefined) own.set(id, enabled)
  const tags = new Map<string, { readonly index: number; readonly enabled: boolean }>()
  for (const [index, { category, enabled }] of (overrides.categories ?? []).entries())
    if (enabled !== undefined) tags.set(category, { index, enabled })
  return rule => {
    const ruleOwn = own.get(rule.id)
    if (ruleOwn !== undefined) return { on: ruleOwn, reason: { by: 'rule' } }
    let last: { readonly index: number; readonly enabled: boolean; readonly tag: string } | undefined
    for (const tag of rule.categories ?? []) {
      const found = tags.get(tag)
      if (found !== undefined && found.index > (last?.index ?? -1)) last = { ...found, tag }
    }
    if (last !== undefined) {
      const by = levelOfTag(last.tag) === undefined ? 'tag' : 'level'
      return { on: last.enabled, reason: { by, tag: last.tag } }
    }
    if (overrides.enabled !== undefined) return { on: overrides.enabled, reason: { by: 'ruleset' } }
    return { on: rule.enabled, reason: { by: 'default' } }
  }
}
