import type { Dataset, FieldType, LogRecord } from '../../model/dataset.ts'
import { filterKindOf } from '../filterable.ts'
import { operatorKinds } from '../operators.ts'
import type { FilterNode, FilterValue } from '../types.ts'

/** A number below 1. */
export type Random = () => number

/** The same numbers for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)]!
}

const fieldTypes: readonly FieldType[] = [
  'string',
  'int',
  'float',
  'bool',
  'timestamp',
  'array[string]',
  'array[int]',
]

/** A field of each filterable type, named after it. */
export const smallDataset: Dataset = {
  name: 'small',
  timeField: 'timestamp',
  scopes: ['zone'],
  fields: fieldTypes.map(type => ({ name: type, type, description: '', from: '' })),
  defaultFields: [],
}

/** Few values, so that filters and records meet. */
const samples: Readonly<Record<string, readonly FilterValue[]>> = {
  string: ['', 'a', 'A', 'ab', 'ba', 'é', '\u{1f600}', '1'],
  int: [0, 1, -1, 2, 10, 2 ** 53 - 1],
  float: [0, 0.5, -0.5, 1, 1.25],
  bool: [true, false],
  timestamp: ['0', '7', '10', '1777593600000000000', '1777593600000000001', '9223372036854775807'],
}

function sampleOf(random: Random, type: string): FilterValue {
  return pick(random, samples[type.startsWith('array[') ? type.slice(6, -1) : type]!)
}

/** A filter that fits the small dataset. */
export function randomTree(random: Random, depth: number): FilterNode {
  if (depth > 0 && random() < 0.5)
    return {
      kind: pick(random, ['and', 'or']),
      nodes: Array.from({ length: 1 + Math.floor(random() * 3) }, () => randomTree(random, depth - 1)),
    }
  const field = pick(random, smallDataset.fields)
  const kind = filterKindOf(smallDataset, field)
  const operators = [...operatorKinds].filter(([, kinds]) => kinds.includes(kind)).map(([name]) => name)
  const operator = pick(random, operators)
  const isSet = operator === 'in' || operator === '!in'
  const one = () => spelled(random, sampleOf(random, field.type), field.type)
  const value = isSet ? Array.from({ length: 1 + Math.floor(random() * 3) }, one) : one()
  return { kind: 'criterion', key: field.name, operator, value }
}

/** Numbers and booleans may also be text, and times bare numbers. */
function spelled(random: Random, value: FilterValue, type: FieldType): FilterValue {
  if (random() < 0.7) return value
  if (type === 'timestamp') return BigInt(value) > 2n ** 53n ? BigInt(value) : Number(value)
  return String(value)
}

export function randomRecord(random: Random): LogRecord {
  const record: Record<string, unknown> = {}
  for (const { name, type } of smallDataset.fields) {
    if (random() < 0.2) continue
    if (random() < 0.05) record[name] = null
    else if (type.startsWith('array'))
      record[name] = Array.from({ length: Math.floor(random() * 3) }, () => sampleOf(random, type))
    else record[name] = sampleOf(random, type)
  }
  return record
}
