import { sha256 } from '../../kit/sha256.ts'
import { pay, requireAllowance } from '../evaluate/allowance.ts'
import type { Cell } from '../value-type.ts'
import { decodeBase64, encodeBase64 } from './base64.ts'
import { hashInRange } from './hash.ts'
import {
  type Apply,
  type Complaint,
  either,
  type FunctionSpec,
  field,
  type Given,
  giving,
  integer,
  literal,
  optionLetters,
  scalar,
  text,
} from './spec.ts'

export const encodingFunctions: readonly FunctionSpec[] = [
  {
    name: 'decode_base64',
    parameters: [field(text)],
    result: giving('Bytes'),
    // Nothing is published about other texts; they give the empty one.
    bind: () => value => decodeBase64(value as string, 'standard') ?? '',
  },
  {
    name: 'encode_base64',
    parameters: [either(text), literal(text)],
    optional: 1,
    result: giving('Bytes'),
    bind: bindEncodeBase64,
  },
  {
    name: 'sha256',
    parameters: [either(text)],
    result: giving('Bytes'),
    bind: () => value => sha256(value as string),
  },
  {
    name: 'uuidv4',
    parameters: [either(text)],
    result: giving('Bytes'),
    bind: () => seed => uuidOf(seed as string),
  },
  {
    name: 'hash_in_range',
    parameters: [either(integer), either(integer), either(scalar)],
    argumentsMax: Number.POSITIVE_INFINITY,
    result: giving('Int'),
    takesMissing: true,
    bind: bindHashInRange,
  },
]

function bindEncodeBase64([, flags]: readonly Given[]): Apply | Complaint {
  const letters = optionLetters(flags?.literal, 'pu')
  if (letters === undefined) return { index: 1, reason: 'the flags are "p", "u" and both' }
  const alphabet = letters.includes('u') ? 'url' : 'standard'
  const padded = letters.includes('p')
  return value => {
    const bytes = value as string
    requireAllowance((4 * bytes.length) / 3)
    return encodeBase64(bytes, alphabet, padded)
  }
}

/** 16 bytes are taken as they are, others are hashed to 16; six bits mark a random UUID. */
function uuidOf(seed: string): string {
  const bytes = seed.length === 16 ? seed : sha256(seed).slice(0, 16)
  let hex = ''
  for (let at = 0; at < 16; at++) {
    let byte = bytes.charCodeAt(at)
    if (at === 6) byte = (byte & 0x0f) | 0x40
    if (at === 8) byte = (byte & 0x3f) | 0x80
    if (at === 4 || at === 6 || at === 8 || at === 10) hex += '-'
    hex += byte.toString(16).padStart(2, '0')
  }
  return hex
}

function bindHashInRange([low, high]: readonly Given[]): Apply | Complaint {
  const bothKnown = low!.literal !== undefined && high!.literal !== undefined
  if (bothKnown && low!.literal! >= high!.literal!) {
    return { index: 1, reason: 'the range must not be empty' }
  }
  return (from, to, values) => {
    const first = from as number
    const width = (to as number) - first
    // Also false if an end is missing.
    if (!(width > 0 && Number.isSafeInteger(width))) return undefined
    pay(lengthOf(values))
    return hashInRange(first, width, values)
  }
}

/** Only the texts are encoded. */
function lengthOf(values: readonly Cell[]): number {
  let length = 0
  for (const value of values) if (typeof value === 'string') length += value.length
  return length
}
