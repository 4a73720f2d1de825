import { type Changes, realChanges, type Switch } from './changes.ts'
import type { ExecuteRule, ManagedRuleset, Overrides } from './document.ts'
import { effectiveStates } from './effective.ts'
import { readSettings } from './settings.ts'
import { writeRule } from './write.ts'

/**
 * Enables or disables rules by id. A rule that would have the state without an override gets none, and loses
 * its existing one.
 */
export function switchRules(
  rule: ExecuteRule | undefined,
  changes: Changes,
  ruleset: ManagedRuleset,
  ids: readonly string[],
  on: boolean,
): Changes {
  const overrides = overridesOf(rule, changes, ruleset)
  const wanted = new Set(ids)
  const others = (overrides.rules ?? []).filter(({ id }) => !wanted.has(id))
  const stateWithout = effectiveStates({ ...overrides, rules: others })
  const rules = new Map(changes.rules)
  for (const one of ruleset.rules) {
    if (!wanted.has(one.id)) continue
    rules.set(one.id, stateWithout(one).on === on ? 'default' : on ? 'on' : 'off')
  }
  return realChanges(readSettings(rule, ruleset), { ...changes, rules })
}

/** Enables or disables a tag with an override, which also applies to rules of later releases. */
export function switchTag(
  rule: ExecuteRule | undefined,
  changes: Changes,
  ruleset: ManagedRuleset,
  tag: string,
  on: boolean,
): Changes {
  const isDefault = on === (overridesOf(rule, changes, ruleset).enabled ?? true)
  const to: Switch = isDefault ? 'default' : on ? 'on' : 'off'
  return realChanges(readSettings(rule, ruleset), { ...changes, tags: new Map(changes.tags).set(tag, to) })
}

function overridesOf(rule: ExecuteRule | undefined, changes: Changes, ruleset: ManagedRuleset): Overrides {
  return writeRule(rule, changes, ruleset).action_parameters.overrides ?? {}
}
