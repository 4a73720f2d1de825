import type { CheckedCriterion, CheckedNode, Operand } from '../../logfilter/index.ts'
import { joined, type Sql, sql, trusted } from '../records/sql.ts'
import type { Column, Table } from '../records/tables.ts'

const always = trusted('1 = 1')
const never = trusted('1 = 0')

/**
 * The condition of the rows of a table whose records a filter of Logpush passes. A field that no record has is read as its
 * type's empty value, as filters of jobs read it.
 */
export function conditionOf(node: CheckedNode, table: Table): Sql {
  if (node.kind === 'criterion') return criterion(node, table)
  const conditions = node.nodes.map(one => conditionOf(one, table))
  return sql`(${joined(conditions, ` ${node.kind} `)})`
}

function criterion(tested: CheckedCriterion, table: Table): Sql {
  const column = table.columns.find(({ name }) => name === tested.field.name)
  const condition = positive(tested, column)
  return tested.negated ? sql`not (${condition})` : condition
}

function positive(tested: CheckedCriterion, column: Column | undefined): Sql {
  const { compared, operator, operands } = tested
  if (compared === 'array') return column === undefined ? never : anyOf(operands, one => hasOne(column, one))
  if (compared === 'string') return textCondition(tested, fieldValue(column, ''))
  const value =
    compared === 'nanoseconds'
      ? column === undefined
        ? sql`${0}`
        : sql`toUnixTimestamp64Nano(${fieldValue(column, 0)})`
      : fieldValue(column, compared === 'bool' ? false : 0)
  if (operator === 'in' || operator === 'eq') return anyOf(operands, one => sql`${value} = ${one}`)
  return sql`${value} ${comparisons[operator as keyof typeof comparisons]} ${operands[0]!}`
}

const comparisons = { lt: trusted('<'), leq: trusted('<='), gt: trusted('>'), geq: trusted('>=') }

function textCondition({ operator, operands }: CheckedCriterion, value: Sql): Sql {
  const texts = operands as readonly string[]
  const wanted = texts[0]!
  switch (operator) {
    case 'startsWith':
      return sql`startsWith(${value}, ${wanted})`
    case 'endsWith':
      return sql`endsWith(${value}, ${wanted})`
    case 'contains':
      return wanted === '' ? always : sql`positionUTF8(${value}, ${wanted}) > 0`
    default:
      return sql`has(${texts}, ${value})`
  }
}

function hasOne({ name }: Column, wanted: Operand): Sql {
  return sql`has(${trusted(`"${name}"`)}, ${wanted})`
}

function fieldValue(column: Column | undefined, empty: string | number | boolean): Sql {
  return column === undefined ? sql`${empty}` : trusted(`"${column.name}"`)
}

function anyOf(operands: readonly Operand[], condition: (one: Operand) => Sql): Sql {
  return sql`(${joined(operands.map(condition), ' or ')})`
}
