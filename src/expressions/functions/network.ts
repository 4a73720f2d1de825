import { addressOf, addressText, blockOf } from '../address.ts'
import type { Cell } from '../value-type.ts'
import {
  type Apply,
  type Complaint,
  type FunctionSpec,
  field,
  type Given,
  giving,
  integer,
  ip,
  literal,
} from './spec.ts'

export const networkFunctions: readonly FunctionSpec[] = [
  {
    name: 'cidr',
    parameters: [field(ip), literal(integer), literal(integer)],
    result: giving('Ip'),
    bind: given =>
      checkBits(given, 1, 32) ?? checkBits(given, 2, 128) ?? network(bits(given[1]), bits(given[2])),
  },
  {
    name: 'cidr6',
    parameters: [field(ip), literal(integer)],
    result: giving('Ip'),
    bind: given => checkBits(given, 1, 128) ?? network(32, bits(given[1])),
  },
]

function bits(given: Given | undefined): number {
  return Number(given!.literal)
}

function checkBits(given: readonly Given[], index: number, most: number): Complaint | undefined {
  const value = bits(given[index])
  return value >= 1 && value <= most ? undefined : { index, reason: `bits must be between 1 and ${most}` }
}

/** The address with the bits after the prefix cleared. */
function network(bits4: number, bits6: number): Apply {
  return (value): Cell => {
    const address = addressOf(value as string)
    if (address === undefined) return undefined
    return addressText(blockOf(address, address.version === 4 ? bits4 : bits6).first)
  }
}
