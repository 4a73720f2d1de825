import { applyChanges, type Changes, realChanges, type Switch, switchOf } from './changes.ts'
import {
  crsVersionOf,
  type ExecuteRule,
  type ManagedRule,
  type ManagedRuleset,
  numberAndMessage,
  scoringRules,
} from './document.ts'
import { effectiveStates } from './effective.ts'
import { levelOf, readSettings, type Settings } from './settings.ts'
import { actionLabel, thresholdLabel } from './words.ts'
import { unknownRules, writeRule } from './write.ts'

/** Beyond this number, a sentence gives the count instead of the rules. */
const namedMax = 12

/** The changes of a draft, one sentence each. */
export function differences(
  rule: ExecuteRule | undefined,
  wanted: Changes,
  ruleset: ManagedRuleset,
): readonly string[] {
  const before = readSettings(rule, ruleset)
  const changes = realChanges(before, wanted)
  const after = applyChanges(before, changes)
  const sentences = settingsDifferences(before, after, ruleset)
  if (sentences.length === 0 || !after.deployed) return sentences
  const written = writeRule(rule, changes, ruleset)
  return [...sentences, ...leftOut(rule, ruleset), ...countSentence(rule, written, ruleset)]
}

/** The differences between two states of a rule that executes the ruleset; undefined means not deployed. */
export function deploymentDifferences(
  before: ExecuteRule | undefined,
  after: ExecuteRule | undefined,
  ruleset: ManagedRuleset,
): readonly string[] {
  const sentences = settingsDifferences(readSettings(before, ruleset), readSettings(after, ruleset), ruleset)
  return sentences.length === 0 || after === undefined
    ? sentences
    : [...sentences, ...countSentence(before, after, ruleset)]
}

function settingsDifferences(before: Settings, after: Settings, ruleset: ManagedRuleset): readonly string[] {
  if (before.deployed && !after.deployed)
    return ['Ruleset removed: requests are no longer inspected, and its settings are deleted.']
  if (!after.deployed) return []
  return [
    ...(before.deployed ? changedSettings(before, after) : newSettings(after)),
    ...(after.acts === before.acts ? [] : [actsText(after.acts)]),
    ...(after.publicKey === before.publicKey ? [] : [payloadText(before.publicKey, after.publicKey)]),
    ...(after.version === before.version
      ? []
      : [`Release: ${releaseText(before.version, ruleset)} → ${releaseText(after.version, ruleset)}.`]),
    ...ruleSentences(before, after, ruleset),
    ...tagSentences(before, after, ruleset),
  ]
}

function newSettings(after: Settings): readonly string[] {
  return [
    `Ruleset deployed for ${scopeText(after.expression)}.`,
    `Paranoia level: ${levelText(after)}. Threshold: ${thresholdLabel(after.threshold)}. Action: ${actionLabel(after.action)}.`,
  ]
}

function changedSettings(before: Settings, after: Settings): readonly string[] {
  const change = (name: string, textOf: (settings: Settings) => string, more = '') => {
    const [from, to] = [textOf(before), textOf(after)]
    return from === to ? [] : [`${name}: ${from} → ${to}.${more}`]
  }
  const meaning =
    after.threshold < before.threshold
      ? ' Fewer matching rules reach it.'
      : ' More matching rules are needed to reach it.'
  return [
    ...change('Status', ({ enabled }) => (enabled ? 'enabled' : 'disabled')),
    ...change('Scope', ({ expression }) => scopeText(expression)),
    ...change('Paranoia level', levelText),
    ...change('Threshold', ({ threshold }) => thresholdLabel(threshold), meaning),
    ...change('Action', ({ action }) => actionLabel(action)),
  ]
}

export function scopeText(expression: string): string {
  return expression === 'true' ? 'all requests' : `requests where ${expression}`
}

export function levelText(settings: Pick<Settings, 'levels'>): string {
  const level = levelOf(settings)
  if (level !== undefined) return `PL${level}`
  const on = settings.levels.flatMap((isOn, index) => (isOn ? [`PL${index + 1}`] : []))
  return on.length === 0 ? 'none' : `only ${on.join(', ')}`
}

function actsText(acts: boolean): string {
  return acts
    ? 'Anomaly score rule enabled: the action applies.'
    : 'Anomaly score rule disabled: scores are logged, and no action is taken.'
}

function payloadText(before: string, after: string): string {
  if (after === '') return 'Payload logging: disabled. Matched values are no longer recorded.'
  if (before === '') return `Payload logging: enabled, for the public key ${after}.`
  return `Payload logging: new public key ${after}. The old private key cannot decrypt new events.`
}

function releaseText(version: string, ruleset: ManagedRuleset): string {
  if (version === 'latest') return 'latest'
  const crs = ruleset.version === version ? crsVersionOf(ruleset) : undefined
  return crs === undefined ? `version ${version}` : `CRS ${crs} (version ${version})`
}

interface Switched {
  readonly key: string
  readonly from: Switch
  readonly to: Switch
}

function switchedKeys(
  before: ReadonlyMap<string, boolean>,
  after: ReadonlyMap<string, boolean>,
): readonly Switched[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys]
    .map(key => ({ key, from: switchOf(before, key), to: switchOf(after, key) }))
    .filter(({ from, to }) => from !== to)
}

const ruleWords = {
  on: ['enabled', 'enabled'],
  off: ['disabled', 'disabled'],
  default: ['override removed', 'overrides removed'],
} as const

function ruleSentences(before: Settings, after: Settings, ruleset: ManagedRuleset): readonly string[] {
  const byId = new Map(ruleset.rules.map(rule => [rule.id, rule]))
  const all = switchedKeys(before.rules, after.rules)
  return (['off', 'on', 'default'] as const).flatMap(to => {
    const switched = all.filter(one => one.to === to)
    const [one, many] = ruleWords[to]
    if (switched.length > namedMax) return [`${switched.length} rules: ${many}.`]
    return switched.map(({ key, from }) => {
      const back = to === 'default' && from === 'off' ? 'no longer disabled' : one
      return `Rule ${ruleText(byId.get(key), key)}: ${back}.`
    })
  })
}

export function ruleText(rule: ManagedRule | undefined, id: string): string {
  if (rule === undefined) return id
  const { number, message } = numberAndMessage(rule)
  return number === '' ? message : `${number} (${message})`
}

function tagSentences(before: Settings, after: Settings, ruleset: ManagedRuleset): readonly string[] {
  return switchedKeys(before.tags, after.tags).map(({ key, to }) => {
    const count = ruleset.rules.filter(rule => rule.categories?.includes(key)).length
    const rules = `${count} ${count === 1 ? 'rule' : 'rules'}`
    if (to === 'default') return `Tag ${key}: override removed (${rules}).`
    return `Tag ${key}: ${to === 'on' ? 'enabled' : 'disabled'} (${rules}, and future rules with this tag).`
  })
}

function leftOut(rule: ExecuteRule | undefined, ruleset: ManagedRuleset): readonly string[] {
  const ids = unknownRules(rule, ruleset)
  if (ids.length === 0) return []
  const named = ids.slice(0, namedMax).join(', ') + (ids.length > namedMax ? ', …' : '')
  return [`Overrides removed because this release lacks their rules: ${named}.`]
}

/** The resulting number of enabled rules. */
function countSentence(
  before: ExecuteRule | undefined,
  after: ExecuteRule,
  ruleset: ManagedRuleset,
): readonly string[] {
  const scoring = scoringRules(ruleset)
  const on = (rule: ExecuteRule) => {
    const stateOf = effectiveStates(rule.action_parameters.overrides)
    return scoring.filter(each => stateOf(each).on).length
  }
  if (before === undefined) return [`${on(after)} of ${scoring.length} rules enabled.`]
  const [from, to] = [on(before), on(after)]
  return from === to ? [] : [`Rules enabled: ${from} → ${to}.`]
}
