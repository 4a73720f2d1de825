import type { ExpressionType } from './types.ts'

/** A type in the checker, with the names used in error texts. Arrays and maps nest. */
export type ValueType = ScalarType | ArrayType | MapType
export type ScalarType = 'Bytes' | 'Int' | 'Bool' | 'Ip'

export interface ArrayType {
  readonly array: ValueType
}

export interface MapType {
  readonly map: ValueType
}

/**
 * A value at run time; `undefined` is a missing value. IPs are in text form. Integers are numbers in the safe range and
 * bigints beyond it, so that `===` compares them.
 */
export type Cell =
  | string
  | number
  | bigint
  | boolean
  | readonly Cell[]
  | ReadonlyMap<string, Cell>
  | undefined

export function integerCell(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

export const boolArray: ArrayType = { array: 'Bool' }

const scalarNames: ReadonlyMap<string, ScalarType> = new Map([
  ['String', 'Bytes'],
  ['Bytes', 'Bytes'],
  ['Integer', 'Int'],
  ['Boolean', 'Bool'],
  ['IP', 'Ip'],
])

/** The type for a scheme's type name. */
export function valueTypeOf(name: ExpressionType): ValueType {
  return typeNamed(name)
}

function typeNamed(name: string): ValueType {
  if (name.startsWith('Array<')) return { array: typeNamed(name.slice(6, -1)) }
  if (name.startsWith('Map<')) return { map: typeNamed(name.slice(4, -1)) }
  return scalarNames.get(name)!
}

/** The scheme's name of a type; strings are `String`. */
export function typeNameOf(type: ValueType): ExpressionType {
  return nameOf(type) as ExpressionType
}

function nameOf(type: ValueType): string {
  if (typeof type === 'string') return typeNames[type]
  return 'array' in type ? `Array<${nameOf(type.array)}>` : `Map<${nameOf(type.map)}>`
}

const typeNames: Readonly<Record<ScalarType, string>> = {
  Bytes: 'String',
  Int: 'Integer',
  Bool: 'Boolean',
  Ip: 'IP',
}

/** `Array<Bytes>` */
export function showType(type: ValueType): string {
  if (typeof type === 'string') return type
  return 'array' in type ? `Array<${showType(type.array)}>` : `Map<${showType(type.map)}>`
}

/** `Array(Bytes)`: the form in the message about operators. */
export function showTypeForOperator(type: ValueType): string {
  if (typeof type === 'string') return type
  return 'array' in type
    ? `Array(${showTypeForOperator(type.array)})`
    : `Map(${showTypeForOperator(type.map)})`
}

export function sameType(a: ValueType, b: ValueType): boolean {
  return showType(a) === showType(b)
}

export function isArray(type: ValueType): type is ArrayType {
  return typeof type !== 'string' && 'array' in type
}

export function isMap(type: ValueType): type is MapType {
  return typeof type !== 'string' && 'map' in type
}

export function isBoolArray(type: ValueType): boolean {
  return isArray(type) && type.array === 'Bool'
}
