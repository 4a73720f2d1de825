import type { LogRecord } from '../model/dataset.ts'
import type { CheckedCriterion, Operand } from './check.ts'
import { compareTime, type WantedTime, wantedTime } from './nanoseconds.ts'
import type { LogPredicate, PositiveOperator } from './types.ts'

/**
 * The test of one criterion. A record without the field is read as the type's empty value ("" / 0 / false / []), which
 * is also in its line. No test allocates.
 */
export function criterionTest(criterion: CheckedCriterion): LogPredicate {
  const test = positiveTest(criterion)
  return criterion.negated ? record => !test(record) : test
}

function positiveTest({ field: { name }, compared, operator, operands }: CheckedCriterion): LogPredicate {
  switch (compared) {
    case 'string':
      return textTest(name, operator, operands as readonly string[])
    case 'bool':
      return boolTest(name, operands[0] as boolean)
    case 'number':
      return numberTest(name, operator, operands as readonly number[])
    case 'nanoseconds':
      return timeTest(name, operator, (operands as readonly bigint[]).map(wantedTime))
    case 'array':
      return elementTest(name, new Set(operands))
  }
}

function textTest(name: string, operator: PositiveOperator, operands: readonly string[]): LogPredicate {
  const wanted = operands[0]!
  switch (operator) {
    case 'startsWith':
      return record => textIn(record, name).startsWith(wanted)
    case 'endsWith':
      return record => textIn(record, name).endsWith(wanted)
    case 'contains':
      return record => textIn(record, name).includes(wanted)
    case 'in': {
      const set = new Set(operands)
      return record => set.has(textIn(record, name))
    }
    default:
      return record => textIn(record, name) === wanted
  }
}

function boolTest(name: string, wanted: boolean): LogPredicate {
  return record => (record[name] === true) === wanted
}

function numberTest(name: string, operator: PositiveOperator, operands: readonly number[]): LogPredicate {
  const wanted = operands[0]!
  switch (operator) {
    case 'lt':
      return record => numberIn(record, name) < wanted
    case 'leq':
      return record => numberIn(record, name) <= wanted
    case 'gt':
      return record => numberIn(record, name) > wanted
    case 'geq':
      return record => numberIn(record, name) >= wanted
    case 'in': {
      const set = new Set(operands)
      return record => set.has(numberIn(record, name))
    }
    default:
      return record => numberIn(record, name) === wanted
  }
}

function timeTest(name: string, operator: PositiveOperator, operands: readonly WantedTime[]): LogPredicate {
  const wanted = operands[0]!
  switch (operator) {
    case 'lt':
      return record => compareTime(record[name], wanted) < 0
    case 'leq':
      return record => compareTime(record[name], wanted) <= 0
    case 'gt':
      return record => compareTime(record[name], wanted) > 0
    case 'geq':
      return record => compareTime(record[name], wanted) >= 0
    default:
      return record => isOneOf(record[name], operands)
  }
}

function isOneOf(recorded: unknown, wanted: readonly WantedTime[]): boolean {
  for (let i = 0; i < wanted.length; i++) if (compareTime(recorded, wanted[i]!) === 0) return true
  return false
}

/** `contains` looks for one element, `in` for any of several. */
function elementTest(name: string, wanted: ReadonlySet<Operand>): LogPredicate {
  return record => {
    const elements = record[name]
    if (!Array.isArray(elements)) return false
    for (let i = 0; i < elements.length; i++) if (wanted.has(elements[i] as Operand)) return true
    return false
  }
}

function textIn(record: LogRecord, name: string): string {
  const value = record[name]
  return typeof value === 'string' ? value : ''
}

function numberIn(record: LogRecord, name: string): number {
  const value = record[name]
  return typeof value === 'number' ? value : 0
}
