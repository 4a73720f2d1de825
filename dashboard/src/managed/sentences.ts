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

/** More rules than this are told as a number. */
const namedMax = 12

/** What a draft would make different, a sentence each; empty when nothing. */
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

/** What is different between two states of a rule that deploys the ruleset; undefined where it is not there. */
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
    return [
      'The ruleset is removed: its rules look at no request of this zone any more, and its settings are gone.',
    ]
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
    `The ruleset is deployed for ${scopeText(after.expression)}.`,
    `Paranoia level: ${levelText(after)}. Threshold: ${thresholdLabel(after.threshold)}. Action: ${actionLabel(after.action)}.`,
  ]
}

function changedSettings(before: Settings, after: Settings): readonly string[] {
  const change = (name: string, textOf: (settings: Settings) => string, more = '') => {
    const [from, to] = [textOf(before), textOf(after)]
    return from === to ? [] : [`${name}: ${from} → ${to}.${more}`]
  }
  const meaning =
    after.threshold < before.threshold ? ' Fewer rules have to match.' : ' More rules have to match.'
  return [
    ...change('Deployment', ({ enabled }) => (enabled ? 'on' : 'off')),
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
  return on.length === 0 ? 'no level' : `only ${on.join(', ')}`
}

function actsText(acts: boolean): string {
  return acts
    ? 'The last rule is switched on: the action is taken again.'
    : 'The last rule is switched off: scores are counted, and nothing is done.'
}

function payloadText(before: string, after: string): string {
  if (after === '') return 'Payload logging: off. What matched is not recorded any more.'
  if (before === '') return `Payload logging: on, for the public key ${after}.`
  return `Payload logging: from now on for the public key ${after}. The old private key does not read new events.`
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
  on: ['is switched on', 'are switched on'],
  off: ['is switched off', 'are switched off'],
  default: ['loses its own switch', 'lose their own switches'],
} as const

function ruleSentences(before: Settings, after: Settings, ruleset: ManagedRuleset): readonly string[] {
  const byId = new Map(ruleset.rules.map(rule => [rule.id, rule]))
  const all = switchedKeys(before.rules, after.rules)
  return (['off', 'on', 'default'] as const).flatMap(to => {
    const switched = all.filter(one => one.to === to)
    const [one, many] = ruleWords[to]
    if (switched.length > namedMax) return [`${switched.length} rules ${many}.`]
    return switched.map(({ key, from }) => {
      const back = to === 'default' && from === 'off' ? 'is not switched off any more' : one
      return `Rule ${ruleText(byId.get(key), key)} ${back}.`
    })
  })
}

export function ruleText(rule: ManagedRule | undefined, id: string): string {
  if (rule === undefined) return id
  const { number, message } = numberAndMessage(rule)
  return number === '' ? message : `${number} (${message})`
}

function tagSentences(before: Settings, after: Settings, ruleset: ManagedRuleset): readonly string[] {
  return switchedKeys(before.tags, after.tags).map(({ key, from, to }) => {
    const count = ruleset.rules.filter(rule => rule.categories?.includes(key)).length
    const rules = `${count} ${count === 1 ? 'rule' : 'rules'}`
    if (to === 'default') return `The tag ${key} is not switched ${from} any more: ${rules}.`
    return `The tag ${key} is switched ${to}: ${rules}, and those that later releases give it.`
  })
}

function leftOut(rule: ExecuteRule | undefined, ruleset: ManagedRuleset): readonly string[] {
  const ids = unknownRules(rule, ruleset)
  if (ids.length === 0) return []
  const named = ids.slice(0, namedMax).join(', ') + (ids.length > namedMax ? ', …' : '')
  return [`Left out, because this release does not have the rules: overrides of ${named}.`]
}

/** How many rules are on is what all of it comes to. */
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
  if (before === undefined) return [`${on(after)} of ${scoring.length} rules are on.`]
  const [from, to] = [on(before), on(after)]
  return from === to ? [] : [`Rules that are on: ${from} → ${to}.`]
}
