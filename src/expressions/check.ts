import type { Argument, Step } from './ast.ts'
import type { FunctionSpec, Parameter } from './functions/table.ts'
import type { Lexer, Span } from './lexer.ts'
import { isArray, isBoolArray, isMap, sameType, showType, type ValueType } from './value-type.ts'

/** The type behind an index, or a fault with the brackets underlined. */
export function typeBehind(lexer: Lexer, type: ValueType, step: Step, span: Span): ValueType {
  if (isArray(type) && step.kind !== 'key') return type.array
  if (isMap(type) && step.kind !== 'index') return type.map
  return lexer.fail('bad-index', `cannot access index ${showStep(step)} for type ${showType(type)}`, span)
}

function showStep(step: Step): string {
  if (step.kind === 'index') return `ArrayIndex(${step.index})`
  return step.kind === 'key' ? `MapKey(${JSON.stringify(step.key)})` : 'MapEach'
}

/** Logical operators want two Booleans or two arrays of them. */
export function requireSameLogicalType(lexer: Lexer, left: ValueType, right: ValueType, span: Span): void {
  if (!sameType(left, right)) failType(lexer, showType(left), right, span)
}

export function requireBoolArray(lexer: Lexer, type: ValueType, span: Span): void {
  if (!isBoolArray(type)) failType(lexer, 'Array<Bool>', type, span)
}

export function requireBool(lexer: Lexer, type: ValueType, span: Span): void {
  if (type !== 'Bool') failType(lexer, 'Bool', type, span)
}

/** Number, kind and type of the arguments of a call. `close` is the place of the closing parenthesis. */
export function checkArguments<C>(
  lexer: Lexer,
  spec: FunctionSpec,
  given: readonly Argument<C>[],
  close: Span,
): void {
  const most = spec.argumentsMax ?? spec.parameters.length
  const surplus = given[most]
  if (surplus !== undefined || given.length < spec.parameters.length) {
    const span = surplus === undefined ? close : { start: surplus.span.start, end: close.end }
    lexer.fail('argument-count', 'invalid number of arguments', span)
  }
  const first = given[0]!.type
  for (const [index, argument] of given.entries()) {
    const parameter = spec.parameters[Math.min(index, spec.parameters.length - 1)]!
    checkArgument(lexer, parameter, argument, index, first)
  }
}

function checkArgument<C>(
  lexer: Lexer,
  parameter: Parameter,
  argument: Argument<C>,
  index: number,
  first: ValueType,
): void {
  if (index > 0 && argument.kind === 'operand' && argument.operand.many) {
    lexer.fail('bad-each', 'invalid use of map each access operator', argument.span)
  }
  if (parameter.kind === 'field' && argument.kind === 'literal') {
    const reason = 'expected argument of kind Field, but got Literal'
    lexer.fail('argument-kind', `invalid kind of argument #${index}: ${reason}`, argument.span)
  }
  if (parameter.types.some(type => accepts(type, argument.type, first))) return
  const expected = parameter.types.map(type => showParameter(type, first)).join(' or ')
  const reason = `expected value of type ${expected}, but got ${showType(argument.type)}`
  lexer.fail('argument-type', `invalid type of argument #${index}: ${reason}`, argument.span)
}

function accepts(wanted: Parameter['types'][number], given: ValueType, first: ValueType): boolean {
  if (wanted === 'array') return isArray(given)
  return sameType(wanted === 'same' ? first : wanted, given)
}

function showParameter(wanted: Parameter['types'][number], first: ValueType): string {
  if (wanted === 'array') return 'Array<_>'
  return showType(wanted === 'same' ? first : wanted)
}

function failType(lexer: Lexer, expected: string, actual: ValueType, span: Span): never {
  return lexer.fail('type-mismatch', `expected value of type ${expected}, but got ${showType(actual)}`, span)
}
