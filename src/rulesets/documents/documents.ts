import type { Checked } from '../../model/problem.ts'
import type { Rule, Ruleset, RulesetKind, RulesetPhase } from '../../model/resource.ts'
import { invalidValue, managedImmutable, ruleNotFound, rulesetCodes } from '../problems.ts'
import { bodyOf, checked, refuse } from '../reading.ts'
import { type Position, type PositionedRule, positionedRuleShape, positionShape } from '../schemas/rule.ts'
import {
  type CreateBody,
  createShape,
  entryPointShape,
  type ReplaceBody,
  replaceShape,
} from '../schemas/ruleset.ts'
import { checkPhase, requireKind, type StoredType } from './availability.ts'
import { definesRule, readRule } from './rule-definition.ts'
import {
  insertRule,
  newRule,
  replaceRules,
  requireLogFields,
  requireRuleCount,
  requireUniqueRef,
  revisedRule,
} from './rule-list.ts'
import type { WriteContext } from './write-context.ts'

/**
 * POST of a ruleset. The store checks that the scope has no other entry point in the phase (`entryPointExists`).
 * @param body parsed JSON, unchecked, as everywhere here
 */
export function createRuleset(body: unknown, context: WriteContext): Checked<Ruleset> {
  return checked(() => {
    const said = createShape.read(bodyOf(body).members, '')
    const kind = checkKind(said.kind, context)
    const phase = checkPhase(said.phase, '/phase', context.notEnforced)
    if (!phase.ok) return refuse(phase.problem)
    requireKind({ kind, phase: phase.value }, '/phase')
    return newRuleset(withoutIds(said), { kind, phase: phase.value }, context)
  })
}

/** PUT of a ruleset by id. Absent members keep their value; `rules` replaces the whole list. */
export function replaceRuleset(current: Ruleset, body: unknown, context: WriteContext): Checked<Ruleset> {
  return checked(() => {
    const { members, mentions } = bodyOf(body)
    const said = replaceShape.read(members, '')
    requireMutable(current)
    for (const name of ['kind', 'name', 'phase'] as const) requireUnchanged(name, said[name], current)
    return replaced(current, said, mentions('rules'), context)
  })
}

/**
 * PUT of an entry point by phase; creates it when there is none. The name of a ruleset never changes, so `name`
 * matters only for a new one.
 */
export function replaceEntryPoint(
  current: Ruleset | undefined,
  phase: RulesetPhase,
  body: unknown,
  context: WriteContext,
): Checked<Ruleset> {
  return checked(() => {
    const { members, mentions } = bodyOf(body)
    const said = entryPointShape.read(members, '')
    if (current !== undefined) return replaced(current, said, mentions('rules'), context)
    const kind = context.scope.kind === 'zone' ? 'zone' : 'root'
    requireKind({ kind, phase }, '')
    return newRuleset({ name: 'default', ...said }, { kind, phase }, context)
  })
}

/** POST of a rule: at the end, or where `position` says. */
export function addRule(current: Ruleset, body: unknown, context: WriteContext): Checked<Ruleset> {
  return checked(() => {
    const said = positionedRuleShape.read(bodyOf(body).members, '')
    requireMutable(current)
    const rule = newRule(readRule({ entry: said, pointer: '' }, current, context), context)
    requireUniqueRef(current.rules, rule, '')
    const rules = insertRule(current.rules, rule, positionOf(said), positionPointer)
    requireRuleCount(rules.length, current, '')
    requireLogFields(rules, current, '/action_parameters')
    return nextVersion(current, { rules }, context)
  })
}

/** PATCH of a rule: replaces its definition, moves it, or both. A body with only `position` just moves it. */
export function patchRule(
  current: Ruleset,
  ruleId: string,
  body: unknown,
  context: WriteContext,
): Checked<Ruleset> {
  return checked(() => {
    const said = positionedRuleShape.read(bodyOf(body).members, '')
    requireMutable(current)
    const position = positionOf(said)
    const old = findRule(current, ruleId)
    const moved = position !== undefined && !definesRule(said)
    const rule = moved
      ? old
      : revisedRule(old, readRule({ entry: said, pointer: '' }, current, context), context)
    requireUniqueRef(current.rules, rule, '')
    const others = current.rules.filter(other => other.id !== ruleId)
    const rules =
      position === undefined
        ? current.rules.map(other => (other.id === ruleId ? rule : other))
        : insertRule(others, rule, position, positionPointer)
    requireLogFields(rules, current, '/action_parameters')
    return nextVersion(current, { rules }, context)
  })
}

/** DELETE of a rule. */
export function deleteRule(current: Ruleset, ruleId: string, context: WriteContext): Checked<Ruleset> {
  return checked(() => {
    requireMutable(current)
    const rule = findRule(current, ruleId)
    return nextVersion(current, { rules: current.rules.filter(other => other !== rule) }, context)
  })
}

function checkKind(kind: string, { scope }: WriteContext): RulesetKind {
  if (kind === 'custom') return kind
  const fail = (reason: string) => refuse(invalidValue('kind', kind, reason, '/kind'))
  if (kind === 'managed') return fail('managed rulesets cannot be created')
  if (kind !== 'zone' && kind !== 'root') return fail('it must be custom, root or zone')
  const level = kind === 'zone' ? 'zone' : 'account'
  if (scope.kind !== level) fail(`${kind} rulesets can only be created at the ${level} level`)
  return kind
}

/** Rules that were read from another ruleset carry ids; in a new ruleset they get new ones. */
function withoutIds(said: CreateBody): CreateBody {
  const { rules = [] } = said
  return {
    ...said,
    rules: rules.map(rule => Object.fromEntries(Object.entries(rule).filter(([name]) => name !== 'id'))),
  }
}

function newRuleset(
  { name, description = '', rules = [] }: Pick<CreateBody, 'name' | 'description' | 'rules'>,
  type: StoredType,
  context: WriteContext,
): Ruleset {
  const made = replaceRules([], rules, type, context, '/rules')
  return {
    id: context.newId(),
    scope: context.scope,
    name,
    description,
    kind: type.kind,
    phase: type.phase,
    version: 1,
    lastUpdated: context.now,
    ...(type.phase === 'http_request_firewall_managed' ? { source: 'firewall_managed' } : {}),
    rules: made,
  }
}

/** @param withRules whether the body contains rules; `null` empties the list, like `[]` */
function replaced(
  current: Ruleset,
  { description = current.description, rules = [] }: Pick<ReplaceBody, 'description' | 'rules'>,
  withRules: boolean,
  context: WriteContext,
): Ruleset {
  const next = withRules ? replaceRules(current.rules, rules, current, context, '/rules') : current.rules
  return nextVersion(current, { description, rules: next }, context)
}

function nextVersion(
  current: Ruleset,
  change: Partial<Pick<Ruleset, 'description' | 'rules'>>,
  context: WriteContext,
): Ruleset {
  return { ...current, ...change, version: current.version + 1, lastUpdated: context.now }
}

function requireMutable(current: Ruleset): void {
  if (current.kind === 'managed') refuse(managedImmutable())
}

function requireUnchanged(name: 'kind' | 'name' | 'phase', said: string | undefined, current: Ruleset): void {
  if (said === undefined || said === current[name]) return
  const reason = `the ${name} of a ruleset cannot be changed`
  refuse(invalidValue(name, said, reason, `/${name}`, rulesetCodes.immutable))
}

function findRule(current: Ruleset, ruleId: string): Rule {
  return current.rules.find(rule => rule.id === ruleId) ?? refuse(ruleNotFound(ruleId))
}

const positionPointer = '/position'

function positionOf({ position }: PositionedRule): Position | undefined {
  return position === undefined ? undefined : positionShape.read(position, positionPointer)
}
