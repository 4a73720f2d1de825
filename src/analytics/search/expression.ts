import type { Address } from '../../expressions/address.ts'
import { parse } from '../../expressions/compile.ts'
import { wildcardPieces } from '../../expressions/evaluate/wildcard.ts'
import type { Expression, LiteralTest, Operand, OrderOperator } from '../../expressions/syntax/ast.ts'
import { assert } from '../../kit/assert.ts'
import { searchLimits } from '../limits.ts'
import { joined, type Sql, sql, trusted } from '../records/sql.ts'
import { type Table, tables } from '../records/tables.ts'
import { keptValue, lowerLetters, searchScheme, upperLetters } from './expression-fields.ts'
import type { SearchQuery } from './types.ts'

export type ExpressionCondition =
  | { readonly ok: true; readonly condition: Sql }
  /** As errors of rules show it. */
  | { readonly ok: false; readonly text: string }

/** A part of the language that a search does not have. */
class LeftOut extends Error {}

/** The condition of the rows whose records pass an expression of the rules language. */
export function expressionCondition(text: string, dataset: SearchQuery['dataset']): ExpressionCondition {
  const table = tables[dataset]
  const parsed = parse(text, searchScheme(table))
  if (!parsed.ok) return { ok: false, text: parsed.text }
  const parts = partsOf(parsed.tree)
  const most = searchLimits.expressionPartsMax
  if (parts > most) {
    const text = `the expression has ${parts} comparisons, items and calls of functions, and searches take ${most}`
    return { ok: false, text }
  }
  try {
    return { ok: true, condition: conditionOf(parsed.tree, table) }
  } catch (error) {
    if (!(error instanceof LeftOut)) throw error
    return { ok: false, text: `${error.message} in searches` }
  }
}

type Tree = Expression<never>

/** Tests and calls that the engine may run for a row. It looks a text up in a set at once, and other items one by one. */
function partsOf(tree: Tree): number {
  switch (tree.kind) {
    case 'logical':
      return tree.items.reduce((total, item) => total + partsOf(item), 0)
    case 'comparison': {
      const { operand, test } = tree
      const tests = test.kind === 'in-integers' || test.kind === 'in-ips' ? test.items.length : 1
      return callsIn(operand) + tests
    }
    case 'truth':
      return callsIn(tree.operand) + 1
    default:
      return partsOf(tree.item)
  }
}

function callsIn({ root }: Operand<never>): number {
  if (root.kind !== 'call') return 0
  return root.call.arguments.reduce(
    (total, argument) => total + (argument.kind === 'operand' ? callsIn(argument.operand) : 0),
    1,
  )
}

function conditionOf(tree: Tree, table: Table): Sql {
  switch (tree.kind) {
    case 'logical': {
      const items = tree.items.map(item => conditionOf(item, table))
      // Engines have no chain of `<>`.
      if (tree.operator === 'xor') return items.reduce((all, item) => sql`(${all} <> ${item})`)
      return sql`(${joined(items, ` ${tree.operator} `)})`
    }
    case 'not':
      return sql`(not ${conditionOf(tree.item, table)})`
    case 'truth':
      return sql`(${operandValue(tree.operand, table)})`
    case 'comparison': {
      if (tree.test.kind === 'order-operand') throw new LeftOut('a field is compared with a literal')
      return sql`(${tested(tree.test, operandValue(tree.operand, table))})`
    }
    default:
      throw new LeftOut('any and all are not available')
  }
}

function operandValue({ root, path }: Operand<never>, table: Table): Sql {
  if (path.length > 0) throw new LeftOut('brackets are not available')
  if (root.kind === 'constant') return trusted(root.value ? '1 = 1' : '1 = 0')
  if (root.kind === 'field') return keptValue(root.field.name, table)!
  const { spec, arguments: given } = root.call
  const [first, second] = given.map(argument => {
    if (argument.kind === 'expression') throw new LeftOut('expressions as arguments are not available')
    return argument.kind === 'literal'
      ? sql`${textOf(String(argument.value))}`
      : operandValue(argument.operand, table)
  })
  switch (spec.name) {
    case 'lower':
      return lower(first!)
    case 'upper':
      return translated(first!, lowerLetters, upperLetters)
    case 'starts_with':
      return sql`startsWith(${first!}, ${second!})`
    default:
      return sql`endsWith(${first!}, ${second!})`
  }
}

const orders: { readonly [O in OrderOperator]: Sql } = {
  eq: trusted('='),
  ne: trusted('<>'),
  lt: trusted('<'),
  le: trusted('<='),
  gt: trusted('>'),
  ge: trusted('>='),
}

function tested(test: LiteralTest, value: Sql): Sql {
  switch (test.kind) {
    case 'order-string':
      return sql`${value} ${orders[test.operator]} ${textOf(test.literal)}`
    case 'order-integer':
      return sql`${value} ${orders[test.operator]} ${test.literal}`
    case 'order-ip':
      if (test.operator !== 'eq' && test.operator !== 'ne')
        throw new LeftOut('the order of addresses is not available')
      return sql`addressDigits(${value}) ${orders[test.operator]} ${digitsOf(test.literal)}`
    case 'in-strings':
      return sql`has(${test.items.map(textOf)}, ${value})`
    case 'in-integers':
      return anyOf(test.items.map(({ first, last }) => sql`${value} between ${first} and ${last}`))
    case 'in-ips': {
      const digits = sql`addressDigits(${value})`
      return anyOf(
        test.items.map(({ first, last }) => sql`${digits} between ${digitsOf(first)} and ${digitsOf(last)}`),
      )
    }
    case 'contains':
      return test.literal === '' ? trusted('1 = 1') : sql`positionUTF8(${value}, ${textOf(test.literal)}) > 0`
    case 'wildcard':
      return test.strict ? matched(value, test.pattern) : matched(lower(value), lowerText(test.pattern))
    case 'matches':
      throw new LeftOut('matches is not available')
    case 'in-list':
      throw new LeftOut('lists are not available')
    default:
      throw new LeftOut('& is not available')
  }
}

/** Both engines have RE2, where this simple form means the same. */
function matched(value: Sql, pattern: string): Sql {
  const outcome = wildcardPieces(pattern)
  assert(outcome.ok, 'the pattern was checked')
  const quoted = outcome.pieces.map(piece => textOf(piece).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return sql`matchesRE2(${value}, ${`(?s)^${quoted.join('.*')}$`})`
}

function anyOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? trusted('1 = 0') : sql`(${joined(conditions, ' or ')})`
}

function lower(value: Sql): Sql {
  return translated(value, upperLetters, lowerLetters)
}

/** `lower` and `upper` of the engines differ beyond ASCII. */
function translated(value: Sql, from: string, to: string): Sql {
  return sql`translate(${value}, ${trusted(`'${from}'`)}, ${trusted(`'${to}'`)})`
}

function lowerText(pattern: string): string {
  return pattern.replaceAll(/[A-Z]/g, letter => letter.toLowerCase())
}

/** Texts of expressions are byte strings. */
function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString()
}

/** As `addressDigits` has it: the version and the bytes in hexadecimal. */
function digitsOf(address: Address): string {
  return `${address.version}${Buffer.from(address.bytes, 'latin1').toString('hex')}`
}
