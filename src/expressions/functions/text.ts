import { asciiLower, asciiUpper } from '../../kit/ascii.ts'
import { addressOf, addressText } from '../address.ts'
import { expressionLimits } from '../limits.ts'
import type { Cell } from '../value-type.ts'
import {
  type Apply,
  anyArray,
  either,
  type FunctionSpec,
  field,
  type Given,
  giving,
  givingFirst,
  integer,
  likeFirst,
  literal,
  oneOf,
  text,
} from './spec.ts'

export const textFunctions: readonly FunctionSpec[] = [
  {
    name: 'lower',
    parameters: [field(text)],
    result: giving('Bytes'),
    bind: () => value => asciiLower(value as string),
  },
  {
    name: 'upper',
    parameters: [field(text)],
    result: giving('Bytes'),
    bind: () => value => asciiUpper(value as string),
  },
  {
    name: 'len',
    parameters: [field(oneOf(text, anyArray))],
    result: giving('Int'),
    bind: () => value => (value as string | readonly Cell[]).length,
  },
  {
    name: 'starts_with',
    parameters: [field(text), either(text)],
    result: giving('Bool'),
    bind: () => (value, start) => (value as string).startsWith(start as string),
  },
  {
    name: 'ends_with',
    parameters: [field(text), either(text)],
    result: giving('Bool'),
    bind: () => (value, end) => (value as string).endsWith(end as string),
  },
  {
    name: 'concat',
    parameters: [either(oneOf(text, anyArray)), either(likeFirst)],
    argumentsMax: expressionLimits.concatArgumentsMax,
    result: givingFirst,
    takesMissing: true,
    bind: ([first]) => (first!.type === 'Bytes' ? concatTexts : concatArrays),
  },
  {
    name: 'substring',
    parameters: [field(text), literal(integer), literal(integer)],
    optional: 1,
    result: giving('Bytes'),
    bind: bindSubstring,
  },
  {
    name: 'remove_bytes',
    parameters: [field(text), either(text)],
    result: giving('Bytes'),
    bind: () => (value, bytes) => removeBytes(value as string, bytes as string),
  },
  {
    name: 'to_string',
    parameters: [
      either({
        accepts: type => typeof type === 'string' && type !== 'Bytes',
        shows: () => 'Int or Bool or Ip',
      }),
    ],
    result: giving('Bytes'),
    bind: bindToString,
  },
]

/** Missing parts count as empty; the result is missing only if all parts are. */
const concatTexts: Apply = (first, second, rest) => {
  if (first === undefined && second === undefined && rest.every(part => part === undefined)) return undefined
  let whole = ((first as string | undefined) ?? '') + ((second as string | undefined) ?? '')
  for (const part of rest) if (part !== undefined) whole += part as string
  return whole
}

const concatArrays: Apply = (first, second, rest) => {
  const present = [first, second, ...rest].filter(part => part !== undefined)
  return present.length === 0 ? undefined : (present as (readonly Cell[])[]).flat()
}

/** Positions out of range are moved to the value's ends. */
function bindSubstring([, start, end]: readonly Given[]): Apply {
  const from = Number(start!.literal)
  const to = end === undefined ? undefined : Number(end.literal)
  return value => (value as string).slice(from, to)
}

function removeBytes(value: string, bytes: string): string {
  const removed = membersOf(bytes)
  let kept = ''
  let from = 0
  for (let at = 0; at < value.length; at++) {
    if (removed[value.charCodeAt(at)] === 0) continue
    kept += value.slice(from, at)
    from = at + 1
  }
  return from === 0 ? value : kept + value.slice(from)
}

let lastBytes = ''
let lastMembers = new Uint8Array(256)

/** 1 for each byte of the list; every element of an array is tested against the same list. */
function membersOf(bytes: string): Uint8Array {
  if (bytes === lastBytes) return lastMembers
  lastMembers = new Uint8Array(256)
  for (let at = 0; at < bytes.length; at++) lastMembers[bytes.charCodeAt(at)] = 1
  lastBytes = bytes
  return lastMembers
}

function bindToString([given]: readonly Given[]): Apply {
  if (given!.type !== 'Ip') return value => String(value)
  return value => {
    const address = addressOf(value as string)
    return address === undefined ? undefined : addressText(address)
  }
}
