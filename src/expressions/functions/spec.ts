import { type Cell, isArray, isMap, sameType, showType, type ValueType } from '../value-type.ts'

/** Integers beyond the safe ones are bigints. */
export type Literal = string | number | bigint

/**
 * A function of the language: what it takes, what it gives and how.
 * @source rules-language functions
 */
export interface FunctionSpec {
  readonly name: string
  readonly parameters: readonly Parameter[]
  /** So many of the last parameters may be left out. */
  readonly optional?: number
  /** The last parameter may be repeated up to this many arguments in all. */
  readonly argumentsMax?: number
  /** @param first type of the first argument, or of one of its elements when the call is mapped */
  readonly result: (first: ValueType) => ValueType
  /** Is it called when an argument is missing? Else its result is missing then. */
  readonly takesMissing?: boolean
  /** Changes a text by a pattern: such a function stands in an expression only once. */
  readonly replaces?: boolean
  /** Checks the literals and works them in. */
  readonly bind: (given: readonly Given[]) => Apply | Complaint
}

/** What one argument may be. */
export interface Parameter extends Accepted {
  /** `field`: anything but a literal. */
  readonly kind: 'field' | 'literal' | 'either'
}

export interface Accepted {
  readonly accepts: (type: ValueType, first: ValueType) => boolean
  /** As in error texts. */
  readonly shows: (first: ValueType) => string
}

/** An argument as far as it is known before any request. */
export interface Given {
  readonly type: ValueType
  readonly literal?: Literal
  /** The argument is this field and nothing else. */
  readonly field?: string
}

/** Arguments are of the declared types, literals included; the third and later are in `rest`. */
export type Apply = (first: Cell, second: Cell, rest: readonly Cell[]) => Cell

/** A literal that is of the right type and yet wrong. */
export interface Complaint {
  /** Of the argument, from 0. */
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

/** The letters of an options argument, each of `allowed` at most once; undefined when there is another. */
export function optionLetters(options: Literal | undefined, allowed: string): string | undefined {
  const letters = String(options ?? '')
  const known = [...letters].every((letter, at) => allowed.includes(letter) && letters.indexOf(letter) === at)
  return known ? letters : undefined
}
