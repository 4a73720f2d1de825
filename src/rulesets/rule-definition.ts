import type { JsonObject, Rule } from '../model/resource.ts'
import type { ActionPlace } from './actions/action-place.ts'
import { requireTrue } from './actions/log-custom-field.ts'
import { checkRateLimit, requireRateLimit } from './actions/rate-limit.ts'
import { actionParameters } from './actions/table.ts'
import { type Place, requireAction } from './availability.ts'
import { isPlanRestricted } from './plan-restriction.ts'
import { expressionBlank, invalidValue, refusal, rulesetCodes } from './problems.ts'
import { pointerTo, refuse } from './reading.ts'
import { checkFilter } from './rule-expressions.ts'
import { rateLimitShape } from './schemas/rate-limit.ts'
import { definitionNames, type RuleEntry, ruleDefinitionShape } from './schemas/rule.ts'
import { loggingShape } from './schemas/skip.ts'
import type { WriteContext } from './write-context.ts'

/** What a client says about a rule. Without a ref when the client leaves it to the server. */
export type RuleDefinition = Omit<Rule, 'id' | 'version' | 'ref' | 'lastUpdated'> & {
  readonly expression: string
  readonly ref?: string
}

/** A rule in a body, with the shape of an entry. */
export interface PlacedEntry {
  readonly entry: RuleEntry
  readonly pointer: string
}

/** Does the entry say anything about the rule besides which one it is? */
export function definesRule(entry: RuleEntry): boolean {
  return Object.keys(entry).some(name => definitionNames.has(name))
}

/** Reads and checks the complete definition of a rule. */
export function readRule(
  { entry, pointer }: PlacedEntry,
  place: Place,
  context: WriteContext,
): RuleDefinition {
  if (entry.action === undefined && entry.action_parameters !== undefined) {
    const message = 'action is required for action parameters'
    refuse(refusal(rulesetCodes.actionRequired, message, pointerTo(pointer, 'action')))
  }
  const { action, expression, description, enabled, ref } = ruleDefinitionShape.read(entry, pointer)
  requireAction(action, place, pointerTo(pointer, 'action'))
  checkExpression(expression, action, { place, context, pointer: pointerTo(pointer, 'expression') })
  const logging = readLogging(entry, action, pointer)
  const at = (name: string): ActionPlace => ({ place, context, pointer: pointerTo(pointer, name) })
  const ratelimit = readRateLimit(entry, action, at('ratelimit'))
  const parameters = readParameters(entry, action, at('action_parameters'))
  return {
    action,
    ...(parameters === undefined ? {} : { actionParameters: parameters }),
    expression,
    ...(description === undefined ? {} : { description }),
    enabled: enabled ?? true,
    ...(ref === undefined ? {} : { ref }),
    ...(logging === undefined ? {} : { logging }),
    ...(ratelimit === undefined ? {} : { ratelimit }),
  }
}

function checkExpression(expression: string, action: string, at: ActionPlace): void {
  if (expression.trim() === '') refuse(expressionBlank(at.pointer))
  checkFilter(expression, 'filter', at)
  if (action === 'log_custom_field') requireTrue(expression, at.pointer)
  if (at.place.kind !== 'root' || (action !== 'execute' && action !== 'skip')) return
  if (isPlanRestricted(expression)) return
  const reason = `at the account level the expression of ${action} rules must end with and cf.zone.plan eq "ENT", what stands before it in parentheses`
  refuse(invalidValue('expression', expression, reason, at.pointer, rulesetCodes.planRestriction))
}

/** Of `skip` rules only; on unless it says otherwise. */
function readLogging({ logging }: RuleEntry, action: string, pointer: string): Rule['logging'] {
  const place = pointerTo(pointer, 'logging')
  if (action === 'skip') return logging === undefined ? { enabled: true } : loggingShape.read(logging, place)
  if (logging === undefined) return undefined
  const reason = `logging is only possible with the skip action and not with ${action}`
  return refuse(invalidValue('logging', logging as JsonObject, reason, place, rulesetCodes.loggingNotAllowed))
}

function readRateLimit({ ratelimit }: RuleEntry, action: string, at: ActionPlace): JsonObject | undefined {
  requireRateLimit(ratelimit !== undefined, action, at)
  if (ratelimit !== undefined) checkRateLimit(rateLimitShape.read(ratelimit, at.pointer), at)
  return ratelimit as JsonObject | undefined
}

function readParameters(entry: RuleEntry, action: string, at: ActionPlace): JsonObject | undefined {
  const parameters = entry.action_parameters as JsonObject | undefined
  const { needed, check } = actionParameters[action]!
  if (needed && (parameters === undefined || Object.keys(parameters).length === 0)) {
    const message = `action parameters are required for the ${action} action`
    refuse(refusal(rulesetCodes.parametersRequired, message, at.pointer))
  }
  return parameters === undefined ? undefined : check(parameters, at)
}
