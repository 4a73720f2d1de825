import { check, compileValue, type ExpressionType } from '../../expressions/index.ts'
import { httpScheme } from '../fields/http-scheme.ts'
import { withoutData } from '../fields/without-data.ts'
import { expressionInvalid, inPart, invalidValue, rulesetCodes } from '../problems.ts'
import { refuse } from '../reading.ts'
import type { RulesetType } from './availability.ts'
import type { WriteContext } from './write-context.ts'

/** The context of a rule's expression. */
export interface ExpressionAt {
  readonly type: RulesetType
  readonly context: WriteContext
  /** JSON pointer of the expression. */
  readonly pointer: string
}

/** Refuses a filter that does not parse. @param use filter of a rule, or counting expression of a rate limit */
export function checkFilter(expression: string, use: 'filter' | 'counting', at: ExpressionAt): void {
  const outcome = check(expression, httpScheme({ phase: at.type.phase, use }, listsAt(at)))
  const field = use === 'filter' ? 'expression' : 'counting_expression'
  if (!outcome.ok) refuse(expressionInvalid(expression, outcome.text, at.pointer, field))
  noteFields(outcome.fields, expression, at)
}

/** Refuses a value expression that does not parse, or whose type is not allowed for this use. */
export function checkValue(
  expression: string,
  use: 'filter' | 'rewrite-uri' | 'rewrite-header' | 'redirect' | 'characteristic',
  at: ExpressionAt,
  field = use === 'characteristic' ? 'characteristics' : 'expression',
): void {
  const outcome = compileValue(expression, httpScheme({ phase: at.type.phase, use }, listsAt(at)))
  const code = rulesetCodes.valueExpressionInvalid
  if (!outcome.ok) refuse(expressionInvalid(expression, outcome.text, at.pointer, field, code))
  const { fits, wanted } = wantedTypes[use]
  const reason = `its value must be ${wanted} and is of type ${outcome.type}`
  if (!fits(outcome.type)) refuse(invalidValue(field, expression, reason, at.pointer, code))
  noteFields(outcome.fields, expression, at)
}

function noteFields(
  fields: ReadonlySet<string>,
  expression: string,
  { context, pointer }: ExpressionAt,
): void {
  if (context.inPart === undefined) return
  const { note, sources } = context.inPart
  for (const reason of withoutData(fields, expression, sources)) note(inPart(reason, pointer))
}

/** The lists that an expression may name. Lists of redirects hold URLs, which only their own phase looks up. */
function listsAt({ type, context }: ExpressionAt): WriteContext['lists'] {
  if (type.phase !== 'http_request_redirect') return context.lists
  return (name, wanted) =>
    context.lists(name, wanted) ??
    (wanted === 'Bytes' && context.hasRedirectList(name) ? () => false : undefined)
}

/** In a header's value, numbers, addresses and Booleans are converted to text. */
const wantedTypes = {
  filter: { fits: isText, wanted: 'a String' },
  'rewrite-uri': { fits: isText, wanted: 'a String' },
  'rewrite-header': { fits: isScalar, wanted: 'a String, Integer, Boolean or IP' },
  redirect: { fits: isText, wanted: 'a String' },
  characteristic: { fits: isCountable, wanted: 'no map' },
} as const

function isText(type: ExpressionType): boolean {
  return type === 'String' || type === 'Bytes'
}

function isScalar(type: ExpressionType): boolean {
  return !type.includes('<')
}

function isCountable(type: ExpressionType): boolean {
  return !type.startsWith('Map')
}
