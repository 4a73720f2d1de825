import { bytesOfText } from '../../kit/bytes.ts'
import { isId } from '../../kit/ids.ts'
import type { Json } from '../../model/resource.ts'
import { compileRegex } from '../../regex/index.ts'
import type { ManagedRuleset } from '../documents/write-context.ts'
import { jsonArgumentName } from '../json-argument.ts'
import { closedProblem, closedRuleset } from '../managed/closed-rulesets.ts'
import { owaspRequestRulesetId, owaspResponseRulesetId } from '../managed/owasp.ts'
import { invalidValue, refusal, rulesetCodes } from '../problems.ts'
import { noteOrRefuse, refuse } from '../reading.ts'
import { keyedCollections, type SkipParameters, type SkipTarget } from '../schemas/skip.ts'
import type { ActionContext } from './action-context.ts'
import { noSuchRule } from './execute.ts'

type Name = keyof SkipParameters

/** Parameters that exclude each other. @source Cloudflare API, skip rule; rulesets-api reference 4.2 */
const incompatible: readonly (readonly [Name, Name])[] = [
  ['ruleset', 'rulesets'],
  ['ruleset', 'rules'],
  ['ruleset', 'targets'],
  ['rulesets', 'phases'],
  ['phase', 'ruleset'],
  ['phase', 'rulesets'],
  ['phase', 'rules'],
  ['phase', 'phases'],
  ['phase', 'targets'],
]

/** Parameters that only some phases have. */
const phasesOf: Partial<Record<Name, readonly string[]>> = {
  phase: ['http_request_firewall_custom'],
  phases: ['http_request_firewall_custom'],
  products: ['http_request_firewall_custom'],
  rules: ['http_request_firewall_managed', 'http_response_firewall_managed'],
  targets: ['http_request_firewall_managed', 'http_response_firewall_managed'],
}

export function checkSkip(parameters: SkipParameters, at: ActionContext): void {
  for (const name of Object.keys(parameters) as Name[]) requireAvailability(name, parameters, at)
  for (const [one, other] of incompatible) {
    if (parameters[one] === undefined || parameters[other] === undefined) continue
    const message = `${one} and ${other} cannot be skipped by one rule`
    refuse(refusal(rulesetCodes.skipInvalid, message, `${at.pointer}/${other}`))
  }
  for (const [index, id] of (parameters.rulesets ?? []).entries()) {
    const entry = { ...at, pointer: `${at.pointer}/rulesets/${index}` }
    if (!isExecutable(id, at) && !isNotedClosed(id, entry)) failUnknown(id, 'rulesets', entry.pointer, at)
  }
  for (const [rulesetId, ruleIds] of Object.entries(parameters.rules ?? {})) {
    checkRules(rulesetId, ruleIds, { ...at, pointer: `${at.pointer}/rules` })
  }
  for (const [index, target] of (parameters.targets ?? []).entries()) {
    checkTarget(target, { ...at, pointer: `${at.pointer}/targets/${index}` })
  }
}

function requireAvailability(
  name: Name,
  parameters: SkipParameters,
  { type, context, pointer }: ActionContext,
): void {
  const allowed = phasesOf[name]
  if (allowed !== undefined && !allowed.includes(type.phase)) {
    fail(
      name,
      parameters[name] as Json,
      `it can be skipped in ${allowed.join(' and ')} only`,
      `${pointer}/${name}`,
    )
  }
  if (name === 'phase' && context.scope.kind === 'account')
    fail(name, 'current', 'it can be skipped at the zone level only', `${pointer}/${name}`)
}

function fail(field: string, value: Json | undefined, reason: string, pointer: string): never {
  return refuse(invalidValue(field, value, reason, pointer, rulesetCodes.skipInvalid))
}

function isExecutable(id: string, at: ActionContext): boolean {
  return findManaged(id, at) !== undefined || at.context.custom(id)?.phase === at.type.phase
}

function findManaged(id: string, { type, context }: ActionContext): ManagedRuleset | undefined {
  const managed = isId(id) ? context.managed(id, 'latest') : undefined
  return managed?.phase === type.phase ? managed : undefined
}

function failUnknown(id: string, field: string, pointer: string, { type }: ActionContext): never {
  return fail(field, id, `there is no ruleset with this id to execute in the phase ${type.phase}`, pointer)
}

function checkRules(rulesetId: string, ruleIds: readonly string[], at: ActionContext): void {
  const pointer = `${at.pointer}/${rulesetId}`
  if (isNotedClosed(rulesetId, { ...at, pointer })) return
  const managed = findManaged(rulesetId, at) ?? failUnknown(rulesetId, 'rules', pointer, at)
  for (const [index, id] of ruleIds.entries()) {
    if (hasRule(managed, id)) continue
    const reason = noSuchRule(rulesetId)
    const problem = invalidValue('rules', id, reason, `${pointer}/${index}`, rulesetCodes.skipInvalid)
    const isKept = isId(id) && rulesetId === owaspRequestRulesetId
    noteOrRefuse(problem, isKept ? at.context.notEnforced : undefined)
  }
}

/**
 * Whether the rules of this ruleset are Cloudflare's alone. Skipping it does nothing here, which is noted where the
 * installation keeps that, and otherwise refused.
 */
function isNotedClosed(id: string, { context, pointer }: ActionContext): boolean {
  const closed = closedRuleset(id)
  if (closed !== undefined) noteOrRefuse(closedProblem(closed, pointer), context.notEnforced)
  return closed !== undefined
}

function hasRule(managed: ManagedRuleset, id: string): boolean {
  return managed.rules.some(rule => rule.id === id)
}

function checkTarget(target: SkipTarget, at: ActionContext): void {
  if ((target.rule === undefined) === (target.tag === undefined)) {
    fail('targets', target as Json, 'it must have exactly one of rule and tag', at.pointer)
  }
  checkTargetRule(target, at)
  const narrowing = (['key', 'key_pattern', 'json_path'] as const).filter(name => target[name] !== undefined)
  if (narrowing.length > 1) {
    const reason = 'it must have at most one of key, key_pattern and json_path'
    fail('targets', target as Json, reason, at.pointer)
  }
  const [name] = narrowing
  if (name === undefined) return
  if (!keyedCollections.has(target.collection)) {
    fail(name, target[name], `the values of ${target.collection} have no keys`, `${at.pointer}/${name}`)
  }
  checkKey(target, at.pointer)
}

function checkTargetRule({ rule, ruleset }: SkipTarget, at: ActionContext): void {
  const managed = ruleset === undefined ? undefined : findManaged(ruleset, at)
  if (ruleset !== undefined && managed === undefined)
    failUnknown(ruleset, 'ruleset', `${at.pointer}/ruleset`, at)
  if (rule === undefined) return
  const among = managed ?? owaspOf(at)
  if (among !== undefined && hasRule(among, rule)) return
  fail('rule', rule, 'no managed ruleset that is meant has a rule with this id', `${at.pointer}/rule`)
}

/** The phase's managed ruleset with detection rules. */
function owaspOf(at: ActionContext): ManagedRuleset | undefined {
  return findManaged(owaspRequestRulesetId, at) ?? findManaged(owaspResponseRulesetId, at)
}

const jsonCollections: ReadonlySet<string> = new Set(['ARGS', 'ARGS_NAMES', 'ARGS_POST', 'ARGS_POST_NAMES'])

function checkKey({ key_pattern: pattern, json_path: path, collection }: SkipTarget, pointer: string): void {
  if (pattern !== undefined) {
    // With the engine's own compiler.
    const compiled = compileRegex(bytesOfText(pattern), { dialect: 'pcre', caseInsensitive: true })
    if (!compiled.ok) fail('key_pattern', pattern, compiled.error.message, `${pointer}/key_pattern`)
  }
  if (path === undefined) return
  if (jsonArgumentName(path) === undefined)
    fail('json_path', path, 'it is no path such as $.user.name or $.items[*].id', `${pointer}/json_path`)
  if (!jsonCollections.has(collection)) {
    const reason = `values of JSON bodies are in ${[...jsonCollections].join(', ')}`
    fail('json_path', path, reason, `${pointer}/json_path`)
  }
}
