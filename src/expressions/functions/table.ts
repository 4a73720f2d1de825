import { asciiLower, asciiUpper } from '../../kit/ascii.ts'
import { expressionLimits } from '../../kit/limits.ts'
import type { Cell, ValueType } from '../value-type.ts'

/** What one argument may be. */
export interface Parameter {
  /** `array` is an array of anything; `same` the type of the first argument. */
  readonly types: readonly (ValueType | 'array' | 'same')[]
  /** `field`: anything but a literal. */
  readonly kind: 'field' | 'either'
}

/**
 * A function of the language: what it takes, what it gives and how. To add one, add an entry to `functions`.
 * @source rules-language functions
 */
export interface FunctionSpec {
  readonly name: string
  readonly parameters: readonly Parameter[]
  /** The last parameter may be repeated up to this many arguments in all; absent when the number is fixed. */
  readonly argumentsMax?: number
  /** @param first type of the first argument, or of one of its elements when the call is mapped */
  readonly result: (first: ValueType) => ValueType
  /** Arguments are of the declared types or missing; so is the result. */
  readonly apply: (values: readonly Cell[]) => Cell
}

const stringField: Parameter = { types: ['Bytes'], kind: 'field' }
const string: Parameter = { types: ['Bytes'], kind: 'either' }

const list: readonly FunctionSpec[] = [
  {
    name: 'lower',
    parameters: [stringField],
    result: () => 'Bytes',
    apply: ([value]) => (value === undefined ? undefined : asciiLower(value as string)),
  },
  {
    name: 'upper',
    parameters: [stringField],
    result: () => 'Bytes',
    apply: ([value]) => (value === undefined ? undefined : asciiUpper(value as string)),
  },
  {
    name: 'len',
    parameters: [{ types: ['Bytes', 'array'], kind: 'field' }],
    result: () => 'Int',
    apply: ([value]) => (value === undefined ? undefined : (value as string | readonly Cell[]).length),
  },
  {
    name: 'starts_with',
    parameters: [stringField, string],
    result: () => 'Bool',
    apply: ([value, start]) => bothStrings(value, start) && (value as string).startsWith(start as string),
  },
  {
    name: 'ends_with',
    parameters: [stringField, string],
    result: () => 'Bool',
    apply: ([value, end]) => bothStrings(value, end) && (value as string).endsWith(end as string),
  },
  {
    name: 'concat',
    parameters: [
      { types: ['Bytes', 'array'], kind: 'either' },
      { types: ['same'], kind: 'either' },
    ],
    argumentsMax: expressionLimits.concatArgumentsMax,
    result: first => first,
    apply: concat,
  },
]

/** Every function by its name. */
export const functions: ReadonlyMap<string, FunctionSpec> = new Map(list.map(spec => [spec.name, spec]))

function bothStrings(a: Cell, b: Cell): boolean {
  return a !== undefined && b !== undefined
}

/** Missing parts count as empty; missing only when all are. */
function concat(values: readonly Cell[]): Cell {
  const present = values.filter(value => value !== undefined)
  if (present.length === 0) return undefined
  return typeof present[0] === 'string' ? present.join('') : (present as (readonly Cell[])[]).flat()
}
