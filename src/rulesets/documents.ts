import type { Checked } from '../model/problem.ts'
import type { Phase, Rule, Ruleset, RulesetKind } from '../model/resource.ts'
import { checkPhase, type Place } from './availability.ts'
import { invalidValue, managedImmutable, notAvailable, ruleNotFound, rulesetCodes } from './problems.ts'
import { bodyOf, checked, type Fields, refuse } from './reading.ts'
import { definesRule, readRule, requireRuleNames } from './rule-definition.ts'
import {
  newRule,
  placeRule,
  replaceRules,
  requireFieldCount,
  requireRuleCount,
  requireUniqueRef,
  revisedRule,
} from './rule-list.ts'
import type { WriteContext } from './write-context.ts'

const createNames: ReadonlySet<string> = new Set(['kind', 'name', 'phase', 'description', 'rules'])
const entryPointNames: ReadonlySet<string> = new Set(['name', 'description', 'rules'])
/** The last four only come out of the API; clients send them back. */
const replaceNames: ReadonlySet<string> = new Set([
  'kind',
  'name',
  'phase',
  'description',
  'rules',
  'id',
  'version',
  'last_updated',
  'source',
])

/**
 * POST of a ruleset. That the scope has no other entry point in the phase is the store's to see (`entryPointExists`).
 * @param body parsed JSON, unchecked, as everywhere here
 */
export function createRuleset(body: unknown, context: WriteContext): Checked<Ruleset> {
  return checked(() => {
    const fields = bodyOf(body)
    fields.allowOnly(createNames)
    const kind = readKind(fields, context)
    const name = fields.required('name')
    const phase = readPhase(fields, kind)
    return newRuleset(name, { kind, phase }, fields, context)
  })
}

/** PUT of a ruleset by id. What the body leaves out stays; `rules` replaces the whole list. */
export function replaceRuleset(current: Ruleset, body: unknown, context: WriteContext): Checked<Ruleset> {
  return checked(() => {
    const fields = bodyOf(body)
    fields.allowOnly(replaceNames)
    requireMutable(current)
    requireUnchanged(fields, 'kind', current.kind)
    requireUnchanged(fields, 'name', current.name)
    requireUnchanged(fields, 'phase', current.phase)
    return replaced(current, fields, context)
  })
}

/**
 * PUT of an entry point by phase; makes it when there is none.
 * The name of a ruleset never changes, so `name` matters only for a new one.
 */
export function replaceEntryPoint(
  current: Ruleset | undefined,
  phase: Phase,
  body: unknown,
  context: WriteContext,
): Checked<Ruleset> {
  return checked(() => {
    const fields = bodyOf(body)
    fields.allowOnly(entryPointNames)
    const name = fields.has('name') ? fields.required('name') : 'default'
    if (current !== undefined) return replaced(current, fields, context)
    const kind = context.scope.kind === 'zone' ? 'zone' : 'root'
    requireRootPhase(kind, phase, '')
    return newRuleset(name, { kind, phase }, fields, context)
  })
}

/** POST of a rule: at the end, or where `position` says. */
export function addRule(current: Ruleset, body: unknown, context: WriteContext): Checked<Ruleset> {
  return checked(() => {
    const fields = bodyOf(body)
    requireRuleNames(fields, true)
    requireMutable(current)
    const rule = newRule(readRule(fields, current, context), context)
    requireUniqueRef(current.rules, rule, fields)
    const rules = placeRule(current.rules, rule, fields.object('position'))
    requireRuleCount(rules.length, current, '')
    requireFieldCount(rules, current, '/action_parameters')
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
    const fields = bodyOf(body)
    requireRuleNames(fields, true)
    requireMutable(current)
    const rule = patchedRule(findRule(current, ruleId), fields, current, context)
    requireUniqueRef(current.rules, rule, fields)
    const position = fields.object('position')
    const others = current.rules.filter(other => other.id !== ruleId)
    const rules =
      position === undefined
        ? current.rules.map(other => (other.id === ruleId ? rule : other))
        : placeRule(others, rule, position)
    requireFieldCount(rules, current, '/action_parameters')
    return nextVersion(current, { rules }, context)
  })
}

function patchedRule(rule: Rule, fields: Fields, place: Place, context: WriteContext): Rule {
  if (fields.has('position') && !definesRule(fields)) return rule
  return revisedRule(rule, readRule(fields, place, context), context)
}

/** DELETE of a rule. */
export function deleteRule(current: Ruleset, ruleId: string, context: WriteContext): Checked<Ruleset> {
  return checked(() => {
    requireMutable(current)
    const rule = findRule(current, ruleId)
    return nextVersion(current, { rules: current.rules.filter(other => other !== rule) }, context)
  })
}

function readKind(fields: Fields, { scope }: WriteContext): RulesetKind {
  const kind = fields.required('kind')
  const pointer = fields.pointerTo('kind')
  if (kind === 'custom') return refuse(notAvailable('kind', kind, 'a custom ruleset', pointer))
  if (kind === 'managed') return fields.invalid('kind', 'managed rulesets cannot be created')
  if (kind !== 'zone' && kind !== 'root') return fields.invalid('kind', 'it must be zone or root')
  const level = kind === 'zone' ? 'zone' : 'account'
  if (scope.kind !== level)
    fields.invalid('kind', `${kind} rulesets can only be created at the ${level} level`)
  return kind
}

function readPhase(fields: Fields, kind: RulesetKind): Phase {
  const pointer = fields.pointerTo('phase')
  const phase = checkPhase(fields.required('phase'), pointer)
  if (!phase.ok) return refuse(phase.problem)
  requireRootPhase(kind, phase.value, pointer)
  return phase.value
}

/** Custom fields are a zone's. */
function requireRootPhase(kind: RulesetKind, phase: Phase, pointer: string): void {
  if (kind !== 'root' || phase !== 'http_log_custom_fields') return
  refuse(invalidValue('phase', phase, 'the phase exists only at the zone level', pointer))
}

function newRuleset(name: string, place: Place, fields: Fields, context: WriteContext): Ruleset {
  const rules = replaceRules([], fields.objects('rules') ?? [], place, context, '/rules')
  return {
    id: context.newId(),
    scope: context.scope,
    name,
    description: fields.string('description') ?? '',
    kind: place.kind,
    phase: place.phase,
    version: 1,
    lastUpdated: context.now,
    ...(place.phase === 'http_request_firewall_managed' ? { source: 'firewall_managed' } : {}),
    rules,
  }
}

function replaced(current: Ruleset, fields: Fields, context: WriteContext): Ruleset {
  const description = fields.string('description') ?? current.description
  const rules = fields.mentions('rules')
    ? replaceRules(current.rules, fields.objects('rules') ?? [], current, context, '/rules')
    : current.rules
  return nextVersion(current, { description, rules }, context)
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

function requireUnchanged(fields: Fields, name: 'kind' | 'name' | 'phase', value: string): void {
  if (!fields.has(name) || fields.string(name) === value) return
  const reason = `the ${name} of a ruleset cannot be changed`
  refuse(invalidValue(name, fields.get(name), reason, fields.pointerTo(name), rulesetCodes.immutable))
}

function findRule(current: Ruleset, ruleId: string): Rule {
  return current.rules.find(rule => rule.id === ruleId) ?? refuse(ruleNotFound(ruleId))
}
