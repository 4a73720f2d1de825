import { addressOf } from '../address.ts'
import { requireAllowance } from '../evaluate/allowance.ts'
import { findText } from '../evaluate/find-text.ts'
import { expressionLimits } from '../limits.ts'
import { type Cell, isArray, isMap, sameType, showType, type ValueType } from '../value-type.ts'
import {
  type Accepted,
  type Apply,
  anyMap,
  anything,
  type Complaint,
  either,
  type FunctionSpec,
  field,
  type Given,
  giving,
  givingFirst,
  integer,
  likeFirst,
  literal,
  text,
  texts,
} from './spec.ts'

const collection: Accepted = {
  accepts: type => typeof itemOf(type) === 'string',
  shows: () => 'Array<_> or Map<_>',
}

const itemOfFirst: Accepted = {
  accepts: (type, first) => sameType(type, itemOf(first)!),
  shows: first => showType(itemOf(first)!),
}

function itemOf(type: ValueType): ValueType | undefined {
  if (isArray(type)) return type.array
  return isMap(type) ? type.map : undefined
}

export const collectionFunctions: readonly FunctionSpec[] = [
  {
    name: 'has_key',
    parameters: [field(anyMap), either(text)],
    result: giving('Bool'),
    bind: () => (map, key) => (map as ReadonlyMap<string, Cell>).has(key as string),
  },
  {
    name: 'has_value',
    parameters: [field(collection), either(itemOfFirst)],
    result: giving('Bool'),
    bind: ([first]) => (itemOf(first!.type) === 'Ip' ? hasAddress : hasValue),
  },
  {
    name: 'coalesce',
    parameters: [either(anything), either(likeFirst)],
    argumentsMax: Number.POSITIVE_INFINITY,
    result: givingFirst,
    takesMissing: true,
    bind: () => (first, second, rest) => first ?? second ?? rest.find(value => value !== undefined),
  },
  {
    name: 'split',
    parameters: [field(text), literal(text), literal(integer)],
    result: giving({ array: 'Bytes' }),
    bind: bindSplit,
  },
  {
    name: 'join',
    parameters: [field(texts), either(text)],
    result: giving('Bytes'),
    bind: () => (items, separator) => join(items as readonly string[], separator as string),
  },
]

const hasValue: Apply = (items, value) => {
  if (!(items instanceof Map)) return (items as readonly Cell[]).includes(value)
  for (const item of (items as ReadonlyMap<string, Cell>).values()) if (item === value) return true
  return false
}

/** An address has several texts. */
const hasAddress: Apply = (items, value) => {
  const wanted = addressOf(value as string)?.bytes
  const all = items instanceof Map ? items.values() : (items as readonly Cell[])
  for (const item of all) if (addressOf(item as string)?.bytes === wanted) return wanted !== undefined
  return false
}

/** Checked first, so that a too long result is not even begun. */
function join(items: readonly string[], separator: string): string {
  let length = separator.length * (items.length - 1)
  for (const item of items) length += item.length
  requireAllowance(length)
  return items.join(separator)
}

/** The last piece holds the rest. */
function bindSplit([, separator, limit]: readonly Given[]): Apply | Complaint {
  const most = Number(limit!.literal)
  const bound = expressionLimits.splitPiecesMax
  if (separator!.literal === '') return { index: 1, reason: 'the separator must not be empty' }
  if (most < 1 || most > bound) return { index: 2, reason: `the limit must be between 1 and ${bound}` }
  return value => split(value as string, separator!.literal as string, most)
}

function split(value: string, separator: string, most: number): readonly string[] {
  const pieces: string[] = []
  let from = 0
  while (pieces.length < most - 1) {
    const at = findText(value, separator, from)
    if (at < 0) break
    pieces.push(value.slice(from, at))
    from = at + separator.length
  }
  pieces.push(value.slice(from))
  return pieces
}
