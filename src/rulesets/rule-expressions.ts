import { check, compileValue, type ExpressionType } from '../expressions/index.ts'
import type { Place } from './availability.ts'
import { httpScheme } from './fields/http-scheme.ts'
import { expressionInvalid, invalidValue, rulesetCodes } from './problems.ts'
import { refuse } from './reading.ts'
import type { WriteContext } from './write-context.ts'

/** Where an expression of a rule stands. */
export interface ExpressionAt {
  readonly place: Place
  readonly context: WriteContext
  /** Of the expression itself. */
  readonly pointer: string
}

/** Refuses a filter that does not parse. @param use of a rule, or what a rate limit counts */
export function checkFilter(expression: string, use: 'filter' | 'counting', at: ExpressionAt): void {
  const outcome = check(expression, httpScheme({ phase: at.place.phase, use }, at.context.lists))
  if (outcome.ok) return
  const field = use === 'filter' ? 'expression' : 'counting_expression'
  refuse(expressionInvalid(expression, outcome.text, at.pointer, field))
}

/** Refuses a value expression that does not parse, or whose type cannot be used for this. */
export function checkValue(
  expression: string,
  use: 'rewrite-uri' | 'rewrite-header' | 'redirect' | 'characteristic',
  at: ExpressionAt,
): void {
  const outcome = compileValue(expression, httpScheme({ phase: at.place.phase, use }, at.context.lists))
  const field = use === 'characteristic' ? 'characteristics' : 'expression'
  const code = rulesetCodes.valueExpressionInvalid
  if (!outcome.ok) refuse(expressionInvalid(expression, outcome.text, at.pointer, field, code))
  if (use === 'characteristic' ? isCountable(outcome.type) : isText(outcome.type)) return
  const wanted = use === 'characteristic' ? 'no map' : 'a String'
  const reason = `its value must be ${wanted} and is of type ${outcome.type}`
  refuse(invalidValue(field, expression, reason, at.pointer, code))
}

function isText(type: ExpressionType): boolean {
  return type === 'String' || type === 'Bytes'
}

function isCountable(type: ExpressionType): boolean {
  return !type.startsWith('Map')
}
