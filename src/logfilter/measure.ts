import { type JsonValue, readJson } from './json.ts'
import { logFilterLimits } from './limits.ts'
import { bytesOf } from './parse.ts'

export interface FilterSize {
  /** Criteria, `and` and `or`; 0 if the text is no JSON, or many times longer than a filter may be. */
  readonly operators: number
  /** UTF-8 bytes of the text. */
  readonly bytes: number
  readonly operatorsMax: number
  readonly bytesMax: number
}

/** Operators are counted in texts of up to this many times the limit. */
const COUNTED_TIMES = 16

/** How much of the limits a filter uses while it is being written; the filter need not be valid. */
export function measureFilter(filter: string): FilterSize {
  const { filterOperatorsMax: operatorsMax, filterBytesMax: bytesMax } = logFilterLimits
  const bytes = bytesOf(filter)
  const json = bytes > COUNTED_TIMES * bytesMax ? undefined : readJson(filter)
  const where = json?.ok && json.value instanceof Map ? json.value.get('where') : undefined
  return { operators: where === undefined ? 0 : operatorsBelow(where), bytes, operatorsMax, bytesMax }
}

function operatorsBelow(json: JsonValue): number {
  if (!(json instanceof Map)) return 0
  const children = json.get('and') ?? json.get('or')
  if (!Array.isArray(children)) return 1
  return children.reduce((sum: number, child) => sum + operatorsBelow(child), 1)
}
