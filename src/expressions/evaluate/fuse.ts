import { assert } from '../../kit/assert.ts'
import type { Expression, LogicalOperator, Operand } from '../syntax/ast.ts'
import { printOperand } from '../syntax/print.ts'
import { type ValueTest, valueTest } from './comparison-closures.ts'

/**
 * Turns an array of Booleans whose parts all test the same elements into one test of each element: `any((x[*] contains
 * "a" and not x[*] contains "b"))`. Undefined if parts differ in their elements.
 */
export function fuse<C>(
  expression: Expression<C>,
): { readonly operand: Operand<C>; readonly holds: ValueTest } | undefined {
  const operands = operandsOf(expression)
  const first = operands?.[0]
  if (operands === undefined || first === undefined) return undefined
  const name = printOperand(first)
  if (!operands.every(operand => printOperand(operand) === name)) return undefined
  return { operand: first, holds: testOf(expression) }
}

/** Undefined if a part is anything but a test against literals. */
function operandsOf<C>(expression: Expression<C>): readonly Operand<C>[] | undefined {
  switch (expression.kind) {
    case 'not':
      return operandsOf(expression.item)
    case 'comparison':
      return expression.test.kind === 'order-operand' ? undefined : [expression.operand]
    case 'logical': {
      const parts = expression.items.map(operandsOf)
      return parts.includes(undefined) ? undefined : parts.flatMap(part => part!)
    }
    default:
      return undefined
  }
}

function testOf<C>(expression: Expression<C>): ValueTest {
  if (expression.kind === 'comparison') return valueTest(expression.test)
  if (expression.kind === 'not') {
    const item = testOf(expression.item)
    return (value, right) => !item(value, right)
  }
  assert(expression.kind === 'logical', 'only tests of elements are fused')
  return combined(expression.operator, expression.items.map(testOf))
}

function combined(operator: LogicalOperator, tests: readonly ValueTest[]): ValueTest {
  return (value, right) => {
    let odd = false
    for (let at = 0; at < tests.length; at++) {
      const held = tests[at]!(value, right)
      if (held ? operator === 'or' : operator === 'and') return held
      if (held) odd = !odd
    }
    return operator === 'xor' ? odd : operator === 'and'
  }
}
