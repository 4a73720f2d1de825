import { type Cell, isArray, isMap, sameType, showType, type ValueType } from '../value-type.ts'

/** Integers beyond the safe range are bigints. */
export type Literal = string | number | bigint

/**
 * A function of the language: its parameters, its result and its implementation.
 * @source rules-language functions
 */
export interface FunctionSpec {
  readonly name: string
  readonly parameters: readonly Parameter[]
  /** Number of optional parameters at the end. */
  readonly optional?: number
  /** The last parameter may be repeated up to this many arguments in all. */
  readonly argumentsMax?: number
  /** @param first type of the first argument, or of one of its elements if the call is mapped */
  readonly result: (first: ValueType) => ValueType
  /** Whether it is called with a missing argument; else its result is missing then. */
  readonly takesMissing?: boolean
  /** Changes a text by a pattern: an expression may contain only one such function. */
  readonly replaces?: boolean
  /** Checks the literals and binds them. */
  readonly bind: (given: readonly Given[]) => Apply | Complaint
}

/** Accepted arguments of a parameter. */
export interface Parameter extends Accepted {
  /** `field`: anything but a literal. */
  readonly kind: 'field' | 'literal' | 'either'
}

export interface Accepted {
  readonly accepts: (type: ValueType, first: ValueType) => boolean
  /** As in error texts. */
  readonly shows: (first: ValueType) => string
}

/** An argument as far as it is known at compile time. */
export interface Given {
  readonly type: ValueType
  readonly literal?: Literal
  /** The argument is only this field. */
  readonly field?: string
}

/** Arguments are of the declared types, literals included; the third and later are in `rest`. */
export type Apply = (first: Cell, second: Cell, rest: readonly Cell[]) => Cell

/** A literal of the right type with an invalid value. */
export interface Complaint {
  /** Index of the argument, from 0. */
  readonly index: number
  readonly reason: string
}

export function field(accepted: Accepted): Parameter {
  return { kind: 'field', ...accepted }
}

export function literal(accepted: Accepted): Parameter {
  return { kind: 'literal', ...accepted }
}

export function either(accepted: Accepted): Parameter {
  return { kind: 'either', ...accepted }
}

function only(wanted: ValueType): Accepted {
  return { accepts: type => sameType(type, wanted), shows: () => showType(wanted) }
}

export const text = only('Bytes')
export const integer = only('Int')
export const ip = only('Ip')
export const texts = only({ array: 'Bytes' })
export const anyArray: Accepted = { accepts: isArray, shows: () => 'Array<_>' }
export const anyMap: Accepted = { accepts: isMap, shows: () => 'Map<_>' }
export const anything: Accepted = { accepts: () => true, shows: () => '_' }
export const scalar: Accepted = {
  accepts: type => typeof type === 'string',
  shows: () => 'Bytes or Int or Bool or Ip',
}
/** Of the type of the first argument. */
export const likeFirst: Accepted = { accepts: sameType, shows: showType }

export function oneOf(...choices: readonly Accepted[]): Accepted {
  return {
    accepts: (type, first) => choices.some(choice => choice.accepts(type, first)),
    shows: first => choices.map(choice => choice.shows(first)).join(' or '),
  }
}

export const giving = (type: ValueType) => (): ValueType => type
export const givingFirst = (first: ValueType): ValueType => first

/** The letters of an options argument, each of `allowed` at most once; undefined if there is another. */
export function optionLetters(options: Literal | undefined, allowed: string): string | undefined {
  const letters = String(options ?? '')
  const known = [...letters].every((letter, at) => allowed.includes(letter) && letters.indexOf(letter) === at)
  return known ? letters : undefined
}
