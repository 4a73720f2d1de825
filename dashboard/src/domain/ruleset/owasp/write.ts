import type { Call } from '../../../api/client.ts'
import { applyChanges, type Changes } from './changes.ts'
import {
  type CategoryOverride,
  type EntryPoint,
  type ExecuteRule,
  levelOfTag,
  type ManagedRuleset,
  managedPhase,
  type Overrides,
  owaspRulesetId,
  type RuleOverride,
  verdictOf,
} from './document.ts'
import { isLevelOn, readSettings, type Settings } from './settings.ts'

/**
 * The rule with the changes applied; all other members are kept.
 * @param rule undefined when the ruleset is not deployed yet
 * @param ruleset in the version to deploy: overrides of rules that it lacks are removed, because the API
 *   refuses them
 */
export function writeRule(
  rule: ExecuteRule | undefined,
  changes: Changes,
  ruleset: ManagedRuleset,
): ExecuteRule {
  const before = readSettings(rule, ruleset)
  const after = applyChanges(before, changes)
  const written = rule === undefined ? newRule() : definitionOf(rule)
  const parameters = written.action_parameters
  if (after.enabled !== before.enabled) written.enabled = after.enabled
  written.expression = after.expression
  if (after.version !== before.version) parameters.version = after.version
  if (after.publicKey !== before.publicKey) setPublicKey(parameters, after.publicKey)
  const overrides = parameters.overrides ?? {}
  setLevels(overrides, after.levels)
  for (const [tag, to] of changes.tags ?? [])
    setTag(overrides, tag, to === 'default' ? undefined : to === 'on')
  for (const [id, to] of changes.rules ?? [])
    setRule(overrides, id, to === 'default' ? undefined : to === 'on')
  setVerdict(overrides, before, after, ruleset)
  dropUnknownRules(overrides, ruleset)
  dropEmpty(overrides)
  if (Object.keys(overrides).length > 0) parameters.overrides = overrides
  else delete parameters.overrides
  return written
}

/** Rule ids in overrides that this version of the ruleset lacks. */
export function unknownRules(rule: ExecuteRule | undefined, ruleset: ManagedRuleset): readonly string[] {
  const known = new Set(ruleset.rules.map(({ id }) => id))
  const named = rule?.action_parameters.overrides?.rules ?? []
  return [...new Set(named.map(({ id }) => id).filter(id => !known.has(id)))]
}

export interface DeploymentContext {
  readonly zoneId: string
  /** Undefined when the zone has no entry point in the phase. */
  readonly entryPoint: EntryPoint | undefined
  readonly rule: ExecuteRule | undefined
}

/** The one API call that deploys the draft. It names the version it is based on, so that it overwrites nothing. */
export function deployCall(
  { zoneId, entryPoint, rule }: DeploymentContext,
  changes: Changes,
  ruleset: ManagedRuleset,
): Call {
  const base = `/zones/${zoneId}/rulesets`
  if (rule !== undefined && changes.deployed === false)
    return {
      method: 'DELETE',
      path: `${base}/${entryPoint!.id}/rules/${rule.id}`,
      ifMatch: entryPoint!.version,
    }
  const body = writeRule(rule, changes, ruleset)
  if (entryPoint === undefined) {
    // The API refuses this when an entry point exists by now; a PUT would replace its rules.
    const created = { kind: 'zone', name: 'default', phase: managedPhase, rules: [body] }
    return { method: 'POST', path: base, body: created }
  }
  const rules = `${base}/${entryPoint.id}/rules`
  const ifMatch = entryPoint.version
  if (rule === undefined) return { method: 'POST', path: rules, body, ifMatch }
  return { method: 'PATCH', path: `${rules}/${rule.id}`, body, ifMatch }
}

function newRule(): ExecuteRule {
  const action_parameters = { id: owaspRulesetId, version: 'latest' }
  return {
    action: 'execute',
    expression: 'true',
    description: 'OWASP Core Ruleset',
    enabled: true,
    action_parameters,
  }
}

/** The rule without members that the server sets. */
function definitionOf(rule: ExecuteRule): ExecuteRule {
  const copy = structuredClone(rule) as ExecuteRule & Record<string, unknown>
  for (const name of ['id', 'version', 'last_updated', 'ref'] as const)
    delete (copy as Record<string, unknown>)[name]
  return copy
}

function setPublicKey(parameters: ExecuteRule['action_parameters'], key: string): void {
  if (key === '') delete parameters.matched_data
  else parameters.matched_data = { ...parameters.matched_data, public_key: key }
}

/** Disabled levels go last, so that they override enabled tags; enabled levels go first. */
function setLevels(overrides: Overrides, levels: Settings['levels']): void {
  for (const [index, on] of levels.entries()) {
    if (isLevelOn(overrides, index + 1) !== on) setTag(overrides, `paranoia-level-${index + 1}`, on)
  }
}

/** @param on undefined removes the override */
function setTag(overrides: Overrides, tag: string, on: boolean | undefined): void {
  const entries = withoutEnabled(overrides.categories, ({ category }) => category === tag, 'category')
  const isDefault = levelOfTag(tag) !== undefined && on === (overrides.enabled ?? true)
  if (on === true && !isDefault) entries.unshift({ category: tag, enabled: true })
  if (on === false && !isDefault) entries.push({ category: tag, enabled: false })
  overrides.categories = entries as CategoryOverride[]
}

function setRule(overrides: Overrides, id: string, on: boolean | undefined): void {
  const entries = withoutEnabled(overrides.rules, entry => entry.id === id, 'id')
  if (on !== undefined) {
    const own = entries.findLast(entry => entry.id === id)
    if (own === undefined) entries.push({ id, enabled: on })
    else own.enabled = on
  }
  overrides.rules = entries as RuleOverride[]
}

/** Removes entries without any other member. */
function withoutEnabled<Entry extends { enabled?: boolean }>(
  entries: readonly Entry[] = [],
  isOne: (entry: Entry) => boolean,
  key: keyof Entry & string,
): Entry[] {
  return entries.flatMap(entry => {
    if (!isOne(entry)) return [entry]
    const { enabled: _, ...rest } = entry
    return Object.keys(rest).some(name => name !== key) ? [rest as Entry] : []
  })
}

function setVerdict(overrides: Overrides, before: Settings, after: Settings, ruleset: ManagedRuleset): void {
  const { id } = verdictOf(ruleset)
  const set: Partial<RuleOverride> = {
    ...(after.threshold === before.threshold ? {} : { score_threshold: after.threshold }),
    ...(after.action === before.action ? {} : { action: after.action }),
    ...(after.acts === before.acts ? {} : { enabled: after.acts }),
  }
  if (Object.keys(set).length === 0) return
  const entries = overrides.rules ?? []
  const own = entries.filter(entry => entry.id === id)
  // Merges several entries into one: the last one to set a member wins.
  const merged = Object.assign({ id }, ...own, set) as RuleOverride
  overrides.rules = [...entries.filter(entry => entry.id !== id), merged]
}

function dropUnknownRules(overrides: Overrides, ruleset: ManagedRuleset): void {
  if (overrides.rules === undefined) return
  const known = new Set(ruleset.rules.map(({ id }) => id))
  overrides.rules = overrides.rules.filter(({ id }) => known.has(id))
}

/** Other API clients refuse empty lists. */
function dropEmpty(overrides: Overrides): void {
  if (overrides.rules?.length === 0) delete overrides.rules
  if (overrides.categories?.length === 0) delete overrides.categories
}
