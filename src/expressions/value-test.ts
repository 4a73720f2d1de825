import { type IpAddress, parseIp } from '../kit/cidr.ts'
import type { OrderOperator, Test } from './ast.ts'
import type { IpRange } from './literals.ts'
import { RangeSet } from './range-set.ts'
import type { Cell } from './value-type.ts'

/** Is it true of this value, which is present and of the operand's type? */
export type ValueTest = (value: Cell) => boolean

/**
 * What `missing ne x` gives. The published contract says that every comparison with a missing value is false;
 * the public engine's default is true.
 */
export const missingNotEqual = false

/** The closure behind one comparison. */
export function valueTest(test: Test): ValueTest {
  switch (test.kind) {
    case 'order-string':
      return orderTest(test.operator, test.literal)
    case 'order-integer':
      return orderTest(test.operator, asNumber(test.literal))
    case 'order-ip':
      return ipOrderTest(test.operator, test.literal)
    case 'in-strings': {
      const items: ReadonlySet<Cell> = new Set(test.items)
      return value => items.has(value)
    }
    case 'in-integers': {
      // Rounding an end beyond the safe integers moves it past no value.
      const ends = test.items.map(({ first, last }) => ({ first: Number(first), last: Number(last) }))
      const set = new RangeSet(ends)
      return value => set.has(value as number)
    }
    case 'in-ips':
      return ipSetTest(test.items)
    case 'bits':
      return value => (BigInt(value as number) & test.literal) !== 0n
    case 'contains':
      return value => (value as string).includes(test.literal)
    case 'wildcard':
      return value => test.test(value as string)
    case 'matches':
      return value => test.matcher.test(value as string)
  }
}

/** Values are safe integers, so a number stands for every literal that can be equal to one. */
function asNumber(literal: bigint): number | bigint {
  const number = Number(literal)
  return Number.isSafeInteger(number) ? number : literal
}

/** Numbers compare with bigints; byte strings compare in byte order. */
function orderTest(operator: OrderOperator, literal: string | number | bigint): ValueTest {
  switch (operator) {
    case 'eq':
      return value => value === literal
    case 'ne':
      return value => value !== literal
    case 'lt':
      return value => (value as string) < (literal as string)
    case 'le':
      return value => (value as string) <= (literal as string)
    case 'gt':
      return value => (value as string) > (literal as string)
    case 'ge':
      return value => (value as string) >= (literal as string)
  }
}

/** Addresses of different families are unequal and have no order. */
function ipOrderTest(operator: OrderOperator, literal: IpAddress): ValueTest {
  const holds = orderTest(operator, literal.bytes)
  return value => {
    const address = addressOf(value as string)
    if (address === undefined) return false
    return address.version === literal.version ? holds(address.bytes) : operator === 'ne'
  }
}

function ipSetTest(items: readonly IpRange[]): ValueTest {
  const v4 = new RangeSet(items.filter(item => item.version === 4))
  const v6 = new RangeSet(items.filter(item => item.version === 6))
  return value => {
    const address = addressOf(value as string)
    return address !== undefined && (address.version === 4 ? v4 : v6).has(address.bytes)
  }
}

let lastText = ''
let lastAddress: IpAddress | undefined

/** Rules of one request ask about the same address one after the other, so the last one is remembered. */
function addressOf(text: string): IpAddress | undefined {
  if (text !== lastText) {
    lastAddress = parseIp(text)
    lastText = text
  }
  return lastAddress
}
