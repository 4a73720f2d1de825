import type { FieldType } from '../model/dataset.ts'

/** How a field's values are compared; `none` fields cannot be filtered on. */
export type FilterKind = 'string' | 'number' | 'nanoseconds' | 'bool' | 'array' | 'none'

export function kindOf(type: FieldType): FilterKind {
  switch (type) {
    case 'string':
      return 'string'
    case 'int':
    case 'float':
      return 'number'
    case 'timestamp':
      return 'nanoseconds'
    case 'bool':
      return 'bool'
    case 'array[string]':
    case 'array[int]':
      return 'array'
    case 'array[object]':
    case 'object':
      return 'none'
  }
}

const everything: readonly FilterKind[] = ['string', 'number', 'nanoseconds', 'bool']
const ordered: readonly FilterKind[] = ['number', 'nanoseconds']
const text: readonly FilterKind[] = ['string']
const containers: readonly FilterKind[] = ['string', 'array']
const members: readonly FilterKind[] = ['string', 'number', 'nanoseconds', 'array']

/**
 * The 14 operators and the kinds of field each is for. `!x` is the plain negation of `x`;
 * lt, leq, gt and geq have no negated form.
 */
export const operatorKinds: ReadonlyMap<string, readonly FilterKind[]> = new Map([
  ['eq', everything],
  ['!eq', everything],
  ['lt', ordered],
  ['leq', ordered],
  ['gt', ordered],
  ['geq', ordered],
  ['startsWith', text],
  ['endsWith', text],
  ['!startsWith', text],
  ['!endsWith', text],
  ['contains', containers],
  ['!contains', containers],
  ['in', members],
  ['!in', members],
])
