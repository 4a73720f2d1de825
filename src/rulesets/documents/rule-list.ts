import type { Rule } from '../../model/resource.ts'
import { checkLogFields } from '../actions/log-custom-field.ts'
import { rulesetLimits } from '../limits.ts'
import { invalidValue, rulesetCodes, tooManyRules } from '../problems.ts'
import { pointerTo, refuse, sameJson } from '../reading.ts'
import { type Position, ruleEntryShape } from '../schemas/rule.ts'
import type { StoredType } from './availability.ts'
import { definesRule, type PlacedEntry, type RuleDefinition, readRule } from './rule-definition.ts'
import type { WriteContext } from './write-context.ts'

/**
 * The list that replaces `current`: an entry is an existing rule when it has its id, or without an id its ref; any
 * other entry is a new rule. An entry with an id and no definition keeps the rule unchanged.
 * @param pointer of the list in the body
 * @source Rulesets API reference, PUT
 */
export function replaceRules(
  current: readonly Rule[],
  items: readonly unknown[],
  type: StoredType,
  context: WriteContext,
  pointer: string,
): readonly Rule[] {
  requireRuleCount(items.length, type, pointer)
  const old = new OldRules(current)
  const entries = items.map((item, index): PlacedEntry => {
    const itemPointer = pointerTo(pointer, index)
    return { entry: ruleEntryShape.read(item, itemPointer), pointer: itemPointer }
  })
  const rules = entries.map(placed => {
    const existing = old.find(placed)
    if (existing !== undefined && !definesRule(placed.entry)) return existing
    const definition = readRule(placed, type, context)
    return existing === undefined ? newRule(definition, context) : revisedRule(existing, definition, context)
  })
  requireUnique(rules, entries)
  requireLogFields(rules, type, pointer)
  return rules
}

/** The replaced rules, by the keys with which entries name them. */
class OldRules {
  readonly #byId: ReadonlyMap<string, Rule>
  readonly #byRef: ReadonlyMap<string, Rule>

  constructor(rules: readonly Rule[]) {
    this.#byId = new Map(rules.map(rule => [rule.id, rule]))
    this.#byRef = new Map(rules.map(rule => [rule.ref, rule]))
  }

  find({ entry: { id, ref }, pointer }: PlacedEntry): Rule | undefined {
    if (id === undefined) return ref === undefined ? undefined : this.#byRef.get(ref)
    const existing = this.#byId.get(id)
    if (existing !== undefined) return existing
    const reason = 'the ruleset has no rule with this id'
    return refuse(invalidValue('id', id, reason, pointerTo(pointer, 'id'), rulesetCodes.ruleNotInRuleset))
  }
}

function requireUnique(rules: readonly Rule[], entries: readonly PlacedEntry[]): void {
  const ids = new Set<string>()
  const refs = new Set<string>()
  for (const [index, { id, ref }] of rules.entries()) {
    if (ids.has(id) || refs.has(ref)) {
      const { entry, pointer } = entries[index]!
      if (entry.ref === undefined) failDuplicate('id', id, pointer)
      else failDuplicate('ref', ref, pointer)
    }
    ids.add(id)
    refs.add(ref)
  }
}

/** Refuses a ref that another rule of the list has. @param pointer of the rule in the body */
export function requireUniqueRef(rules: readonly Rule[], rule: Rule, pointer: string): void {
  if (rules.some(other => other.id !== rule.id && other.ref === rule.ref))
    failDuplicate('ref', rule.ref, pointer)
}

function failDuplicate(field: string, value: string, pointer: string): never {
  const reason = 'another rule of the ruleset has it'
  return refuse(invalidValue(field, value, reason, pointerTo(pointer, field), rulesetCodes.duplicate))
}

export function newRule(definition: RuleDefinition, context: WriteContext): Rule {
  const id = context.newId()
  return { id, version: 1, ...definition, ref: definition.ref ?? id, lastUpdated: context.now }
}

/** The rule with a new definition; the same object if nothing changes. An absent ref keeps its value. */
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
    rule.logging?.enabled === definition.logging?.enabled &&
    sameJson(rule.ratelimit, definition.ratelimit) &&
    sameJson(rule.exposedCredentialCheck, definition.exposedCredentialCheck) &&
    sameJson(rule.actionParameters, definition.actionParameters)
  )
}

/**
 * Inserts a rule at `position`; at the end without one.
 * @param others the list without the rule
 * @param pointer of the position in the body
 */
export function insertRule(
  others: readonly Rule[],
  rule: Rule,
  position: Position | undefined,
  pointer: string,
): readonly Rule[] {
  const index = position === undefined ? others.length : indexAt(others, position, pointer)
  return others.toSpliced(index, 0, rule)
}

function indexAt(others: readonly Rule[], { index, before, after }: Position, pointer: string): number {
  if (index !== undefined) {
    if (index >= 1 && index <= others.length + 1) return index - 1
    const reason = `it must be from 1 to ${others.length + 1}`
    return failPosition('index', index, reason, pointer)
  }
  if (before !== undefined) return before === '' ? 0 : indexOf(others, before, 'before', pointer)
  // The shape guarantees that one of the three is present.
  return after === '' ? others.length : indexOf(others, after!, 'after', pointer) + 1
}

function indexOf(others: readonly Rule[], id: string, field: string, pointer: string): number {
  const index = others.findIndex(rule => rule.id === id)
  return index < 0 ? failPosition(field, id, 'the ruleset has no other rule with this id', pointer) : index
}

function failPosition(field: string, value: string | number, reason: string, pointer: string): never {
  return refuse(invalidValue(field, value, reason, pointerTo(pointer, field), rulesetCodes.positionInvalid))
}

/** Refuses a list that is too long. */
export function requireRuleCount(count: number, { phase }: StoredType, pointer: string): void {
  if (count > rulesetLimits.rulesPerRulesetMax) refuse(tooManyRules(phase, count, pointer))
}

/** Refuses combinations of custom log fields that a zone cannot have. */
export function requireLogFields(rules: readonly Rule[], { phase }: StoredType, pointer: string): void {
  if (phase === 'http_log_custom_fields') checkLogFields(rules, pointer)
}
