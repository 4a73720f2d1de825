import { expressionLimits } from '../expressions/limits.ts'
import type { Problem } from '../model/problem.ts'
import type { Json, RulesetKind, RulesetPhase } from '../model/resource.ts'
import { rulesetLimits } from './limits.ts'

/**
 * Codes of the Rulesets API. Up to 20199 and from 50000 they are Cloudflare's own, as seen in its answers.
 * 20200–20299 belong to this program, for refusals whose code is not published, except 20217.
 */
export const rulesetCodes = {
  entryPointNotFound: 10003,
  actionNotInPhase: 20016,
  loggingNotAllowed: 20018,
  valueExpressionInvalid: 20083,
  parametersRequired: 20113,
  expressionBlank: 20125,
  malformed: 20200,
  unknownField: 20201,
  required: 20202,
  invalidValue: 20203,
  unknownAction: 20204,
  expressionInvalid: 20205,
  noMeaning: 20206,
  positionInvalid: 20207,
  ruleNotInRuleset: 20208,
  duplicate: 20209,
  executeTargetInvalid: 20210,
  overrideRuleUnknown: 20211,
  actionRequired: 20212,
  managedImmutable: 20213,
  logFieldsInvalid: 20214,
  immutable: 20215,
  planUnbuildable: 20216,
  entryPointExists: 20217,
  ruleNotFound: 20218,
  rateLimitInvalid: 20219,
  skipInvalid: 20220,
  planRestriction: 20221,
  rulesetInUse: 20222,
  tooManyRules: 50001,
} as const

/** Characters of a refused value that a message repeats; expressions are repeated in full. */
const shownCharacters = 200

/** Maximum length of a pointer; no pointer to a known member is longer. */
const shownPointerCharacters = 1000

/** Why a document is refused. @param pointer JSON pointer in the body; empty for the whole body */
export function refusal(code: number, message: string, pointer: string): Problem {
  if (pointer === '') return { status: 400, code, message }
  return { status: 400, code, message, pointer: pointer.slice(0, shownPointerCharacters) }
}

/** The API's general sentence: `'<value>' is not a valid value for <field> because <reason>`. */
export function invalidValue(
  field: string,
  value: Json | undefined,
  reason: string,
  pointer: string,
  code: number = rulesetCodes.invalidValue,
): Problem {
  return refusal(
    code,
    `'${shown(value)}' is not a valid value for ${shown(field)} because ${reason}`,
    pointer,
  )
}

/** A refused value in the form of messages. */
export function shown(value: Json | undefined): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}…`
}

export function unknownField(name: string, pointer: string): Problem {
  return refusal(rulesetCodes.unknownField, `invalid JSON: unknown field "${shown(name)}"`, pointer)
}

/** A feature of Cloudflare that a self-hosted edge cannot have. @param why a sentence without a full stop */
export function hasNoMeaning(field: string, value: string, why: string, pointer: string): Problem {
  const reason = `it has no meaning on a self-hosted edge: ${why}`
  return invalidValue(field, value, reason, pointer, rulesetCodes.noMeaning)
}

/** A part that is accepted and has a smaller effect than at Cloudflare. @param how a sentence without a full stop */
export function inPart(how: string, pointer: string): Problem {
  return refusal(rulesetCodes.noMeaning, how, pointer)
}

/** A member that is missing or empty. */
export function blank(field: string, pointer: string): Problem {
  if (field === 'expression') return expressionBlank(pointer)
  const reason = `the ${field.replaceAll('_', ' ')} cannot be blank`
  return invalidValue(field, '', reason, pointer, rulesetCodes.required)
}

export function expressionBlank(pointer: string): Problem {
  return invalidValue(
    'expression',
    '',
    'the expression cannot be blank',
    pointer,
    rulesetCodes.expressionBlank,
  )
}

/**
 * @param parserText the caret form, kept with its line breaks
 * @param field `expression`, or the name of another member that holds one
 */
export function expressionInvalid(
  expression: string,
  parserText: string,
  pointer: string,
  field = 'expression',
  code: number = rulesetCodes.expressionInvalid,
): Problem {
  const kept =
    expression.length > 2 * expressionLimits.expressionCharactersMax ? shown(expression) : expression
  const reason = `could not parse filter expression: ${parserText}`
  return refusal(code, `'${kept}' is not a valid value for ${field} because ${reason}`, pointer)
}

/** A scope has one entry point a phase. */
export function entryPointExists(kind: RulesetKind, phase: RulesetPhase): Problem {
  const reason = `exceeded maximum number of ${kind} rulesets for phase ${phase}`
  return invalidValue('kind', kind, reason, '/kind', rulesetCodes.entryPointExists)
}

export function entryPointNotFound(phase: string): Problem {
  const message = `could not find entrypoint ruleset in the ${phase} phase`
  return { status: 404, code: rulesetCodes.entryPointNotFound, message }
}

export function ruleNotFound(ruleId: string): Problem {
  return { status: 404, code: rulesetCodes.ruleNotFound, message: `could not find rule with id ${ruleId}` }
}

export function managedImmutable(): Problem {
  return { status: 400, code: rulesetCodes.managedImmutable, message: 'managed rulesets cannot be changed' }
}

export function tooManyRules(phase: RulesetPhase, asked: number, pointer: string): Problem {
  const message = `exceeded the maximum number of rules in the phase ${phase}: ${asked} out of ${rulesetLimits.rulesPerRulesetMax}`
  return refusal(rulesetCodes.tooManyRules, message, pointer)
}
