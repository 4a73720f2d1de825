import { isDigit } from '../../kit/ascii.ts'
import { type Cell, integerCell } from '../value-type.ts'
import { findJson, jsonString } from './json-lookup.ts'
import { type Apply, either, type FunctionSpec, field, giving, integer, oneOf, text } from './spec.ts'

const parameters = [field(text), either(oneOf(text, integer))]

export const jsonFunctions: readonly FunctionSpec[] = [
  {
    name: 'lookup_json_string',
    parameters,
    argumentsMax: Number.POSITIVE_INFINITY,
    result: giving('Bytes'),
    bind: () => lookup(stringAt),
  },
  {
    name: 'lookup_json_integer',
    parameters,
    argumentsMax: Number.POSITIVE_INFINITY,
    result: giving('Int'),
    bind: () => lookup(integerAt),
  },
]

type ValueAt = (json: string, start: number, end: number) => Cell

/** Keys are names of members or indexes of elements. */
function lookup(valueAt: ValueAt): Apply {
  return (json, key, rest) => {
    const found = findJson(json as string, [key, ...rest] as (string | number)[])
    return found === undefined ? undefined : valueAt(json as string, found.start, found.end)
  }
}

function stringAt(json: string, start: number, end: number): Cell {
  return json[start] === '"' ? jsonString(json, { start, end }) : undefined
}

/** Characters of the longest integer of 64 bits. */
const longestInteger = 20

/** A plain integer of 64 bits; `42.0` and `1e3` are not. */
function integerAt(json: string, start: number, end: number): Cell {
  if (end - start > longestInteger) return undefined
  const first = json[start] === '-' ? start + 1 : start
  for (let at = first; at < end; at++) if (!isDigit(json.charCodeAt(at))) return undefined
  const value = BigInt(json.slice(start, end))
  return BigInt.asIntN(64, value) === value ? integerCell(value) : undefined
}
