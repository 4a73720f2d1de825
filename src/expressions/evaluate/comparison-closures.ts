import { type Address, addressOf } from '../address.ts'
import type { OrderOperator, Test } from '../syntax/ast.ts'
import type { IpRange } from '../syntax/literals.ts'
import { type Cell, integerCell } from '../value-type.ts'
import { findText } from './find-text.ts'
import { RangeSet } from './range-set.ts'

/**
 * Tests a value that is present and of the operand's type. `right` is the value of the right-hand side if that is an
 * operand; it is present, too.
 */
export type ValueTest = (value: Cell, right: Cell) => boolean

/**
 * Result of a comparison with a missing side: a missing value is unequal to any other, and no other comparison with it
 * holds.
 * @source wirefilter, whose default this is. Cloudflare's documentation says that every comparison is false.
 */
export function whenMissing(operator: OrderOperator | undefined): boolean {
  return operator === 'ne'
}

/** Creates the closure of one comparison. */
export function valueTest<C>(test: Test<C>): ValueTest {
  switch (test.kind) {
    case 'order-string':
      return orderTest(test.operator, test.literal)
    case 'order-integer':
      return orderTest(test.operator, integerCell(test.literal))
    case 'order-ip':
      return ipOrderTest(test.operator, test.literal)
    case 'order-operand':
      return test.right.type === 'Ip' ? ipsInOrder(test.operator) : inOrder[test.operator]
    case 'in-strings':
      return stringSetTest(test.items)
    case 'in-integers': {
      const set = new RangeSet(
        test.items.map(({ first, last }) => ({ first: integerCell(first), last: integerCell(last) })),
      )
      return value => set.has(value as number)
    }
    case 'in-ips':
      return ipSetTest(test.items)
    case 'in-list': {
      const { has } = test
      return value => has(value as string | number)
    }
    case 'bits':
      return bitsTest(test.literal)
    case 'contains': {
      const { literal } = test
      return value => findText(value as string, literal, 0) >= 0
    }
    case 'wildcard': {
      const matches = test.test
      return value => matches(value as string)
    }
    case 'matches': {
      const { matcher } = test
      return value => matcher.test(value as string)
    }
  }
}

/** Byte strings compare in byte order; numbers compare with bigints, which are never equal to one. */
const inOrder: Readonly<Record<OrderOperator, ValueTest>> = {
  eq: (value, right) => value === right,
  ne: (value, right) => value !== right,
  lt: (value, right) => (value as string) < (right as string),
  le: (value, right) => (value as string) <= (right as string),
  gt: (value, right) => (value as string) > (right as string),
  ge: (value, right) => (value as string) >= (right as string),
}

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

function stringSetTest(items: readonly string[]): ValueTest {
  const set: ReadonlySet<Cell> = new Set(items)
  return value => set.has(value)
}

/** Most masks and most values have at most 31 bits. */
function bitsTest(literal: bigint): ValueTest {
  const mask = literal >= 0n && literal < 2n ** 31n ? Number(literal) : undefined
  return value => {
    if (mask !== undefined && (value as number) === ((value as number) | 0))
      return ((value as number) & mask) !== 0
    return (BigInt(value as number) & literal) !== 0n
  }
}

/** Addresses of different families are unequal and have no order. */
function ipOrderTest(operator: OrderOperator, literal: Address): ValueTest {
  const holds = orderTest(operator, literal.bytes)
  return value => {
    const address = addressOf(value as string)
    if (address === undefined) return whenMissing(operator)
    return address.version === literal.version ? holds(address.bytes, undefined) : operator === 'ne'
  }
}

function ipsInOrder(operator: OrderOperator): ValueTest {
  const holds = inOrder[operator]
  return (value, right) => {
    const address = addressOf(value as string)
    const other = addressOf(right as string)
    if (address === undefined || other === undefined) return whenMissing(operator)
    return address.version === other.version ? holds(address.bytes, other.bytes) : operator === 'ne'
  }
}

function ipSetTest(items: readonly IpRange[]): ValueTest {
  const v4 = new RangeSet<number>(
    items
      .filter(({ first }) => first.version === 4)
      .map(({ first, last }) => ({ first: first.v4, last: last.v4 })),
  )
  const v6 = new RangeSet<string>(
    items
      .filter(({ first }) => first.version === 6)
      .map(({ first, last }) => ({ first: first.bytes, last: last.bytes })),
  )
  return value => {
    const address = addressOf(value as string)
    if (address === undefined) return false
    return address.version === 4 ? v4.has(address.v4) : v6.has(address.bytes)
  }
}
