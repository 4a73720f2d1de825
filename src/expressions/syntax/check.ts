import type { Apply, FunctionSpec, Given, Parameter } from '../functions/spec.ts'
import { isArray, isBoolArray, isMap, sameType, showType, type ValueType } from '../value-type.ts'
import type { Argument, Step } from './ast.ts'
import type { Lexer, Span } from './lexer.ts'

/** The type after an index, or a fault with the brackets underlined. */
export function typeBehind(lexer: Lexer, type: ValueType, step: Step, span: Span): ValueType {
  if (isArray(type) && step.kind !== 'key') return type.array
  if (isMap(type) && step.kind !== 'index') return type.map
  return lexer.fail('bad-index', `cannot access index ${showStep(step)} for type ${showType(type)}`, span)
}

function showStep(step: Step): string {
  if (step.kind === 'index') return `ArrayIndex(${step.index})`
  return step.kind === 'key' ? `MapKey(${JSON.stringify(step.key)})` : 'MapEach'
}

/** Logical operators need two Booleans or two arrays of them. */
export function requireSameLogicalType(lexer: Lexer, left: ValueType, right: ValueType, span: Span): void {
  if (!sameType(left, right)) failType(lexer, showType(left), right, span)
}

export function requireBoolArray(lexer: Lexer, type: ValueType, span: Span): void {
  if (!isBoolArray(type)) failType(lexer, 'Array<Bool>', type, span)
}

export function requireBool(lexer: Lexer, type: ValueType, span: Span): void {
  if (type !== 'Bool') failType(lexer, 'Bool', type, span)
}

/**
 * Checks number, kind and type of the arguments of a call, and the values of literals.
 * @param close position of the closing parenthesis
 * @returns the function with its literals bound
 */
export function checkArguments<C>(
  lexer: Lexer,
  spec: FunctionSpec,
  given: readonly Argument<C>[],
  close: Span,
): Apply {
  const { parameters } = spec
  const surplus = given[spec.argumentsMax ?? parameters.length]
  if (surplus !== undefined || given.length < parameters.length - (spec.optional ?? 0)) {
    const span = surplus === undefined ? close : { start: surplus.span.start, end: close.end }
    lexer.fail('argument-count', 'invalid number of arguments', span)
  }
  const first = given[0]!.type
  for (const [index, argument] of given.entries()) {
    checkArgument(lexer, parameters[Math.min(index, parameters.length - 1)]!, argument, index, first)
  }
  const bound = spec.bind(given.map(asGiven))
  if (typeof bound === 'function') return bound
  const message = `invalid value of argument #${bound.index}: invalid argument: "${bound.reason}"`
  return lexer.fail('argument-value', message, given[bound.index]!.span)
}

function asGiven<C>(argument: Argument<C>): Given {
  if (argument.kind === 'literal') return { type: argument.type, literal: argument.value }
  if (argument.kind === 'expression' || argument.operand.path.length > 0) return { type: argument.type }
  const { root } = argument.operand
  return root.kind === 'field' ? { type: argument.type, field: root.field.name } : { type: argument.type }
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
  checkKind(lexer, parameter, argument, index)
  if (parameter.accepts(argument.type, first)) return
  const reason = `expected value of type ${parameter.shows(first)}, but got ${showType(argument.type)}`
  lexer.fail('argument-type', `invalid type of argument #${index}: ${reason}`, argument.span)
}

function checkKind<C>(lexer: Lexer, parameter: Parameter, argument: Argument<C>, index: number): void {
  const isLiteral = argument.kind === 'literal'
  if (parameter.kind === 'either' || (parameter.kind === 'literal') === isLiteral) return
  const [wanted, got] = isLiteral ? ['Field', 'Literal'] : ['Literal', 'Field']
  const reason = `expected argument of kind ${wanted}, but got ${got}`
  lexer.fail('argument-kind', `invalid kind of argument #${index}: ${reason}`, argument.span)
}

function failType(lexer: Lexer, expected: string, actual: ValueType, span: Span): never {
  return lexer.fail('type-mismatch', `expected value of type ${expected}, but got ${showType(actual)}`, span)
}
