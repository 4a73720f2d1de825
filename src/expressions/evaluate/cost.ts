import type { Expression, Operand, Test } from '../syntax/ast.ts'
import { isMap } from '../value-type.ts'

/**
 * Puts cheaper tests first; the result of `and` and `or` does not depend on the order. Tests of equal cost keep their
 * order.
 */
export function byCost<C>(a: Expression<C>, b: Expression<C>): number {
  return costOf(a) - costOf(b)
}

/** Rough cost of an expression; the comparison of a plain field costs 1. */
function costOf<C>(expression: Expression<C>): number {
  switch (expression.kind) {
    case 'logical':
      return expression.items.reduce((total, item) => total + costOf(item), 0)
    case 'not':
      return costOf(expression.item)
    case 'quantifier':
      return 5 + 3 * costOf(expression.item)
    case 'comparison':
      return costOfOperand(expression.operand) + costOfTest(expression.test)
    case 'truth':
      return costOfOperand(expression.operand)
  }
}

function costOfOperand<C>({ root, path }: Operand<C>): number {
  if (root.kind === 'constant') return 0
  // Maps and arrays are built from headers, queries or bodies at their first use.
  if (root.kind === 'field') return path.length === 0 ? 0 : 4
  let cost = 4
  for (const argument of root.call.arguments) {
    if (argument.kind === 'operand') cost += costOfOperand(argument.operand)
    else if (argument.kind === 'expression') cost += costOf(argument.expression)
    if (isMap(argument.type)) cost += 4
  }
  return cost
}

function costOfTest<C>(test: Test<C>): number {
  switch (test.kind) {
    case 'order-operand':
      return 1 + costOfOperand(test.right)
    case 'contains':
    case 'wildcard':
      return 3
    case 'in-list':
      return 2
    case 'matches':
      return 10
    default:
      return 1
  }
}
