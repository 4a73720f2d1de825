import { rulesetLimits } from '../kit/limits.ts'
import type { Rule } from '../model/resource.ts'
import { requireLogFieldCount } from './actions/log-custom-field.ts'
import type { Place } from './availability.ts'
import { invalidValue, refusal, rulesetCodes, tooManyRules } from './problems.ts'
import { type Fields, refuse, sameJson } from './reading.ts'
import { definesRule, type RuleDefinition, readRule, requireRuleNames } from './rule-definition.ts'
import type { WriteContext } from './write-context.ts'

/**
 * The list that replaces `current`: an entry is an old rule when it has its id, or without an id its ref; any other
 * entry is a new rule. An entry with an id and no definition keeps the rule as it is.
 * @param pointer of the list in the body
 * @source Rulesets API reference, PUT
 */
export function replaceRules(
  current: readonly Rule[],
  entries: readonly Fields[],
  place: Place,
  context: WriteContext,
  pointer: string,
): readonly Rule[] {
  requireRuleCount(entries.length, place, pointer)
  const rules = entries.map(entry => {
    requireRuleNames(entry, false)
    const existing = findExisting(current, entry)
    if (existing !== undefined && !definesRule(entry)) return existing
    const definition = readRule(entry, place, context)
    return existing === undefined ? newRule(definition, context) : revisedRule(existing, definition, context)
  })
  requireUnique(rules, entries)
  requireFieldCount(rules, place, pointer)
  return rules
}

function findExisting(current: readonly Rule[], entry: Fields): Rule | undefined {
  const id = entry.string('id')
  if (id === undefined) {
    const ref = entry.string('ref')
    return ref === undefined ? undefined : current.find(rule => rule.ref === ref)
  }
  const existing = current.find(rule => rule.id === id)
  if (existing !== undefined) return existing
  const reason = 'the ruleset has no rule with this id'
  return refuse(invalidValue('id', id, reason, entry.pointerTo('id'), rulesetCodes.ruleNotInRuleset))
}

function requireUnique(rules: readonly Rule[], entries: readonly Fields[]): void {
  const ids = new Set<string>()
  const refs = new Set<string>()
  for (const [index, { id, ref }] of rules.entries()) {
    if (ids.has(id) || refs.has(ref)) {
      const entry = entries[index]!
      failDuplicate(entry.has('ref') ? 'ref' : 'id', entry.has('ref') ? ref : id, entry)
    }
    ids.add(id)
    refs.add(ref)
  }
}

/** Refuses a ref that another rule of the list has. */
export function requireUniqueRef(rules: readonly Rule[], rule: Rule, entry: Fields): void {
  if (rules.some(other => other.id !== rule.id && other.ref === rule.ref))
    failDuplicate('ref', rule.ref, entry)
}

function failDuplicate(field: string, value: string, entry: Fields): never {
  const reason = 'another rule of the ruleset has it'
  return refuse(invalidValue(field, value, reason, entry.pointerTo(field), rulesetCodes.duplicate))
}

export function newRule(definition: RuleDefinition, context: WriteContext): Rule {
  const id = context.newId()
  return { id, version: 1, ...definition, ref: definition.ref ?? id, lastUpdated: context.now }
}

/** The rule with a new definition; the same object when that changes nothing. A left-out ref stays. */
export function revisedRule(rule: Rule, definition: RuleDefinition, context: WriteContext): Rule {
  const ref = definition.ref ?? rule.ref
  if (sameDefinition(rule, definition) && rule.ref === ref) return rule
  return { id: rule.id, version: rule.version + 1, ...definition, ref, lastUpdated: context.now }
}

function sameDefinition(rule: Rule, definition: RuleDefinition): boolean {
  return (
    rule.action === definition.action &&
    rule.expression === definition.expression &&
    rule.description === definition.description &&
    rule.enabled === definition.enabled &&
    sameJson(rule.actionParameters, definition.actionParameters)
  )
}

const positionNames: ReadonlySet<string> = new Set(['before', 'after', 'index'])

/** Puts a rule where `position` says; at the end without one. @param others the list without the rule */
export function placeRule(
  others: readonly Rule[],
  rule: Rule,
  position: Fields | undefined,
): readonly Rule[] {
  return others.toSpliced(position === undefined ? others.length : placeOf(others, position), 0, rule)
}

function placeOf(others: readonly Rule[], position: Fields): number {
  position.allowOnly(positionNames)
  if (position.names.length !== 1) {
    const message = 'position must have exactly one of before, after and index'
    refuse(refusal(rulesetCodes.positionInvalid, message, position.pointer))
  }
  const index = position.integer('index')
  if (index !== undefined) {
    if (index >= 1 && index <= others.length + 1) return index - 1
    return failPosition('index', index, `it must be from 1 to ${others.length + 1}`, position)
  }
  const before = position.string('before')
  if (before !== undefined) return before === '' ? 0 : indexOf(others, before, 'before', position)
  const after = position.string('after')!
  return after === '' ? others.length : indexOf(others, after, 'after', position) + 1
}

function indexOf(others: readonly Rule[], id: string, field: string, position: Fields): number {
  const index = others.findIndex(rule => rule.id === id)
  return index < 0 ? failPosition(field, id, 'the ruleset has no other rule with this id', position) : index
}

function failPosition(field: string, value: string | number, reason: string, position: Fields): never {
  return refuse(invalidValue(field, value, reason, position.pointerTo(field), rulesetCodes.positionInvalid))
}

/** Refuses a list that is too long. */
export function requireRuleCount(count: number, { phase }: Place, pointer: string): void {
  if (count > rulesetLimits.rulesPerRulesetMax) refuse(tooManyRules(phase, count, pointer))
}

/** Refuses more custom log fields than a zone may have. */
export function requireFieldCount(rules: readonly Rule[], { phase }: Place, pointer: string): void {
  if (phase === 'http_log_custom_fields') requireLogFieldCount(rules, pointer)
}
