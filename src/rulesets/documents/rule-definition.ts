import type { Json, JsonObject, KeptPhase, Rule } from '../../model/resource.ts'
import type { ActionContext } from '../actions/action-context.ts'
import { requireTrue } from '../actions/log-custom-field.ts'
import { checkRateLimit, requireRateLimit } from '../actions/rate-limit.ts'
import { actionParameters } from '../actions/table.ts'
import { rulesetLimits } from '../limits.ts'
import { expressionBlank, invalidValue, refusal, rulesetCodes } from '../problems.ts'
import { noteOrRefuse, pointerTo, refuse } from '../reading.ts'
import { rateLimitShape } from '../schemas/rate-limit.ts'
import { definitionNames, type RuleEntry, ruleDefinitionShape } from '../schemas/rule.ts'
import { loggingShape } from '../schemas/skip.ts'
import {
  isEnforced,
  notEnforcedPhase,
  requireAction,
  requireKeptAction,
  type StoredType,
} from './availability.ts'
import { isPlanRestricted } from './enterprise-restriction.ts'
import { checkExposedCredentials, rewritesExposed } from './exposed-credentials.ts'
import { checkFilter } from './rule-expressions.ts'
import type { WriteContext } from './write-context.ts'

/** A rule as a client defines it. Without a ref when the client leaves it to the server. */
export type RuleDefinition = Omit<Rule, 'id' | 'version' | 'ref' | 'lastUpdated'> & {
  readonly expression: string
  readonly ref?: string
}

/** A rule in a body, with the shape of an entry. */
export interface PlacedEntry {
  readonly entry: RuleEntry
  readonly pointer: string
}

/** Whether the entry contains more about the rule than its identity. */
export function definesRule(entry: RuleEntry): boolean {
  return Object.keys(entry).some(name => definitionNames.has(name))
}

/** Reads and checks the complete definition of a rule. */
export function readRule(
  { entry, pointer }: PlacedEntry,
  type: StoredType,
  context: WriteContext,
): RuleDefinition {
  if (entry.action === undefined && entry.action_parameters !== undefined) {
    const message = 'action is required for action parameters'
    refuse(refusal(rulesetCodes.actionRequired, message, pointerTo(pointer, 'action')))
  }
  if (!isEnforced(type))
    return readKeptRule({ entry, pointer }, { ...type, phase: type.phase as KeptPhase }, context)
  const { action, expression, description, enabled, ref } = ruleDefinitionShape.read(entry, pointer)
  const at = (name: string): ActionContext => ({ type, context, pointer: pointerTo(pointer, name) })
  const { exposed_credential_check: exposed } = entry
  if (!rewritesExposed(action, exposed, at(''))) requireAction(action, type, pointerTo(pointer, 'action'))
  checkExpression(expression, action, { type, context, pointer: pointerTo(pointer, 'expression') })
  const logging = readLogging(entry, action, pointer)
  const ratelimit = readRateLimit(entry, action, at('ratelimit'))
  const exposedCredentialCheck =
    exposed === undefined ? undefined : checkExposedCredentials(exposed, at('exposed_credential_check'))
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
    ...(exposedCredentialCheck === undefined ? {} : { exposedCredentialCheck }),
  }
}

/** A rule of a phase that is not enforced: its action, form and size are checked, and all else is stored as sent. */
function readKeptRule(
  { entry, pointer }: PlacedEntry,
  type: StoredType & { readonly phase: KeptPhase },
  context: WriteContext,
): RuleDefinition {
  noteOrRefuse(notEnforcedPhase(type.phase), context.notEnforced)
  const { action, expression, description, enabled, ref } = ruleDefinitionShape.read(entry, pointer)
  requireKeptAction(action, type, pointerTo(pointer, 'action'))
  const { action_parameters: parameters, logging, ratelimit } = entry
  for (const [name, value] of Object.entries({ expression, action_parameters: parameters, ratelimit }))
    requireKeptSize(name, value as Json | undefined, pointerTo(pointer, name))
  return {
    action,
    ...(parameters === undefined ? {} : { actionParameters: parameters as JsonObject }),
    expression,
    ...(description === undefined ? {} : { description }),
    enabled: enabled ?? true,
    ...(ref === undefined ? {} : { ref }),
    ...(logging === undefined ? {} : { logging: loggingShape.read(logging, pointerTo(pointer, 'logging')) }),
    ...(ratelimit === undefined ? {} : { ratelimit: ratelimit as JsonObject }),
  }
}

/** No other check bounds these members of a kept rule. */
function requireKeptSize(name: string, value: Json | undefined, pointer: string): void {
  const { keptMemberBytesMax } = rulesetLimits
  if (value === undefined || Buffer.byteLength(JSON.stringify(value)) <= keptMemberBytesMax) return
  refuse(invalidValue(name, value, `it has more than ${keptMemberBytesMax} bytes`, pointer))
}

function checkExpression(expression: string, action: string, at: ActionContext): void {
  if (expression.trim() === '') refuse(expressionBlank(at.pointer))
  checkFilter(expression, 'filter', at)
  if (action === 'log_custom_field') requireTrue(expression, at.pointer)
  if (at.type.kind !== 'root' || (action !== 'execute' && action !== 'skip')) return
  if (isPlanRestricted(expression)) return
  const reason = `at the account level the expression of ${action} rules must end with and cf.zone.plan eq "ENT", what stands before it in parentheses`
  refuse(invalidValue('expression', expression, reason, at.pointer, rulesetCodes.planRestriction))
}

/** `skip` rules only; enabled by default. */
function readLogging({ logging }: RuleEntry, action: string, pointer: string): Rule['logging'] {
  const at = pointerTo(pointer, 'logging')
  if (action === 'skip') return logging === undefined ? { enabled: true } : loggingShape.read(logging, at)
  if (logging === undefined) return undefined
  const reason = `logging is only possible with the skip action and not with ${action}`
  return refuse(invalidValue('logging', logging as JsonObject, reason, at, rulesetCodes.loggingNotAllowed))
}

/** @returns the rate limit as sent, with `mitigation_timeout: 0` when it had none, as Cloudflare answers it */
function readRateLimit({ ratelimit }: RuleEntry, action: string, at: ActionContext): JsonObject | undefined {
  requireRateLimit(ratelimit !== undefined, action, at)
  if (ratelimit === undefined) return undefined
  checkRateLimit(rateLimitShape.read(ratelimit, at.pointer), at)
  return { mitigation_timeout: 0, ...(ratelimit as JsonObject) }
}

function readParameters(entry: RuleEntry, action: string, at: ActionContext): JsonObject | undefined {
  const parameters = entry.action_parameters as JsonObject | undefined
  const { needed, check } = actionParameters[action]!
  if (needed && (parameters === undefined || Object.keys(parameters).length === 0)) {
    const message = `action parameters are required for the ${action} action`
    refuse(refusal(rulesetCodes.parametersRequired, message, at.pointer))
  }
  return parameters === undefined ? undefined : check(parameters, at)
}
