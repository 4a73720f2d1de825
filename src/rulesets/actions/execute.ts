import { isId } from '../../kit/ids.ts'
import type { JsonObject, Ruleset } from '../../model/resource.ts'
import type { ManagedRuleset } from '../documents/write-context.ts'
import { closedProblem, closedRuleset } from '../managed/closed-rulesets.ts'
import { owaspRequestRulesetId } from '../managed/owasp.ts'
import { invalidValue, rulesetCodes } from '../problems.ts'
import { noteOrRefuse, refuse } from '../reading.ts'
import type { ExecuteParameters, Overrides } from '../schemas/execute.ts'
import type { ActionContext } from './action-context.ts'

/**
 * `execute` of a managed ruleset, or of a custom ruleset of the same scope; both of the same phase.
 * @returns the parameters as sent, with `version: "latest"` when they had none
 */
export function checkExecute(parameters: ExecuteParameters, at: ActionContext): JsonObject {
  const custom = at.context.custom(parameters.id)
  const closed = closedRuleset(parameters.id)
  if (custom !== undefined) checkCustom(parameters, custom, at)
  else if (closed !== undefined) {
    requirePhase(closed, at)
    noteOrRefuse(closedProblem(closed, `${at.pointer}/id`), at.context.notEnforced)
  } else checkManaged(parameters, at)
  return { ...(parameters as JsonObject), version: parameters.version ?? 'latest' }
}

function checkCustom(parameters: ExecuteParameters, custom: Ruleset, at: ActionContext): void {
  requirePhase(custom, at)
  if (parameters.version !== undefined && parameters.version !== 'latest') {
    failTarget('version', parameters.version, 'a custom ruleset runs in its latest version', at)
  }
  for (const name of ['overrides', 'matched_data'] as const) {
    if (parameters[name] !== undefined)
      failTarget(name, parameters[name] as JsonObject, 'only managed rulesets take it', at)
  }
}

function checkManaged(parameters: ExecuteParameters, at: ActionContext): void {
  const managed = findManaged(parameters, at)
  if (parameters.overrides !== undefined) checkOverrides(parameters.overrides, managed, at)
}

function findManaged({ id, version = 'latest' }: ExecuteParameters, at: ActionContext): ManagedRuleset {
  const latest = isId(id) ? at.context.managed(id, 'latest') : undefined
  if (latest === undefined)
    return failTarget('id', id, 'there is no ruleset with this id to execute; GET /rulesets lists them', at)
  requirePhase(latest, at)
  if (version === 'latest') return latest
  const pinned = /^[0-9]{1,15}$/.test(version) ? at.context.managed(id, version) : undefined
  return pinned ?? failTarget('version', version, 'the managed ruleset has no such version', at)
}

function requirePhase({ phase, id }: Pick<ManagedRuleset, 'phase' | 'id'>, at: ActionContext): void {
  if (phase === at.type.phase) return
  failTarget('id', id, `the phase of the ruleset is ${phase} and not ${at.type.phase}`, at)
}

function failTarget(field: string, value: string | JsonObject, reason: string, at: ActionContext): never {
  const pointer = `${at.pointer}/${field}`
  return refuse(invalidValue(field, value, reason, pointer, rulesetCodes.executeTargetInvalid))
}

function checkOverrides({ rules = [] }: Overrides, managed: ManagedRuleset, at: ActionContext): void {
  for (const [index, override] of rules.entries()) {
    const pointer = `${at.pointer}/overrides/rules/${index}`
    const rule = managed.rules.find(({ id }) => id === override.id)
    if (rule === undefined) {
      noteUnknownRule(override.id, managed, { ...at, pointer: `${pointer}/id` })
      continue
    }
    if (override.score_threshold === undefined || rule.scoreThreshold !== undefined) continue
    const reason = 'only the last rule of the ruleset has a score threshold'
    refuse(invalidValue('score_threshold', override.score_threshold, reason, `${pointer}/score_threshold`))
  }
}

/** Why an id of a rule is refused, and how to find the right one. */
export function noSuchRule(rulesetId: string): string {
  return `the ruleset ${rulesetId} has no rule with this id; GET /rulesets/${rulesetId} lists its rules with their CRS numbers`
}

/**
 * Most of Cloudflare's ids of OWASP rules are not public with their CRS numbers, so that nothing here says which rule is
 * meant. Where the installation keeps what it does not enforce, the override is noted.
 */
function noteUnknownRule(id: string, managed: ManagedRuleset, at: ActionContext): void {
  const reason = noSuchRule(managed.id)
  const problem = invalidValue('id', id, reason, at.pointer, rulesetCodes.overrideRuleUnknown)
  noteOrRefuse(problem, isId(id) && managed.id === owaspRequestRulesetId ? at.context.notEnforced : undefined)
}
