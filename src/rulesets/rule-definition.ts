import { compileExpression } from '../expressions/index.ts'
import type { JsonObject } from '../model/resource.ts'
import { checkBlock } from './actions/block.ts'
import { checkExecute } from './actions/execute.ts'
import { checkLogCustomField, requireTrue } from './actions/log-custom-field.ts'
import { checkNoParameters } from './actions/none.ts'
import { type Place, requireAction } from './availability.ts'
import { httpScheme } from './http-scheme.ts'
import {
  expressionBlank,
  expressionInvalid,
  invalidValue,
  notAvailable,
  refusal,
  rulesetCodes,
} from './problems.ts'
import { type Fields, refuse } from './reading.ts'
import type { WriteContext } from './write-context.ts'

/** What a client says about a rule. */
export interface RuleDefinition {
  readonly action: string
  readonly actionParameters?: JsonObject
  readonly expression: string
  readonly description?: string
  readonly enabled: boolean
  /** Absent when the client leaves it to the server. */
  readonly ref?: string
}

/** Members that clients send back as they read them; they are accepted and mean nothing. */
const outputNames: ReadonlySet<string> = new Set(['version', 'last_updated', 'categories', 'score_threshold'])

/** Members of Cloudflare's rules that this version has not. */
const missingNames: ReadonlySet<string> = new Set(['ratelimit', 'exposed_credential_check'])

const definitionNames: ReadonlySet<string> = new Set([
  'action',
  'action_parameters',
  'description',
  'enabled',
  'expression',
  'logging',
  'ref',
  ...missingNames,
])

const ruleNames: ReadonlySet<string> = new Set(['id', ...definitionNames, ...outputNames])
const positionedRuleNames: ReadonlySet<string> = new Set([...ruleNames, 'position'])

/** Refuses members that no rule has. @param positioned may the rule say where it goes? */
export function requireRuleNames(fields: Fields, positioned: boolean): void {
  fields.allowOnly(positioned ? positionedRuleNames : ruleNames)
}

/** Does the entry say anything about the rule besides which one it is? */
export function definesRule(fields: Fields): boolean {
  return fields.names.some(name => definitionNames.has(name))
}

/** Reads and checks the complete definition of a rule. */
export function readRule(fields: Fields, place: Place, context: WriteContext): RuleDefinition {
  const action = readAction(fields, place)
  const expression = readExpression(fields)
  if (action === 'log_custom_field') requireTrue(expression, fields.pointerTo('expression'))
  refuseMissing(fields, action)
  const actionParameters = readParameters(fields, action, place, context)
  const description = fields.string('description')
  const ref = fields.has('ref') ? fields.required('ref') : undefined
  return {
    action,
    ...(actionParameters === undefined ? {} : { actionParameters }),
    expression,
    ...(description === undefined ? {} : { description }),
    enabled: fields.boolean('enabled') ?? true,
    ...(ref === undefined ? {} : { ref }),
  }
}

function readAction(fields: Fields, place: Place): string {
  const pointer = fields.pointerTo('action')
  if (!fields.has('action') && fields.has('action_parameters')) {
    refuse(refusal(rulesetCodes.actionRequired, 'action is required for action parameters', pointer))
  }
  const action = fields.required('action')
  requireAction(action, place, pointer)
  return action
}

function readExpression(fields: Fields): string {
  const pointer = fields.pointerTo('expression')
  const expression = fields.string('expression') ?? ''
  if (expression.trim() === '') refuse(expressionBlank(pointer))
  const compiled = compileExpression(expression, httpScheme)
  if (!compiled.ok) refuse(expressionInvalid(expression, compiled.text, pointer))
  return expression
}

function refuseMissing(fields: Fields, action: string): void {
  for (const name of missingNames) {
    if (fields.has(name)) refuse(notAvailable(name, name, name, fields.pointerTo(name)))
  }
  if (!fields.has('logging')) return
  const pointer = fields.pointerTo('logging')
  const reason = `logging is only possible with the skip action and not with ${action}`
  refuse(invalidValue('logging', fields.get('logging'), reason, pointer, rulesetCodes.loggingNotAllowed))
}

function readParameters(
  fields: Fields,
  action: string,
  place: Place,
  context: WriteContext,
): JsonObject | undefined {
  const parameters = fields.object('action_parameters')
  const needed = action === 'execute' || action === 'log_custom_field'
  if (needed && (parameters === undefined || parameters.names.length === 0)) {
    const message = `action parameters are required for the ${action} action`
    refuse(refusal(rulesetCodes.parametersRequired, message, fields.pointerTo('action_parameters')))
  }
  if (parameters === undefined) return undefined
  if (action === 'execute') return checkExecute(parameters, place.phase, context)
  if (action === 'log_custom_field') return checkLogCustomField(parameters)
  return action === 'block' ? checkBlock(parameters) : checkNoParameters(parameters)
}
