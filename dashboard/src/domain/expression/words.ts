import type { ExpressionType } from '../../../../src/expressions/types.ts'

const text = ['String', 'Bytes']
const ordered = [...text, 'Integer', 'IP']

interface Word {
  readonly word: string
  readonly text: string
  /** Types of the left operand. */
  readonly types: readonly string[]
}

/** Comparison operators with English labels, in menu order. */
export const comparisonWords: readonly Word[] = [
  { word: 'eq', text: 'equals', types: ordered },
  { word: 'ne', text: 'does not equal', types: ordered },
  { word: 'in', text: 'is one of {…}, or in a list: in $name', types: ordered },
  { word: 'contains', text: 'contains this text', types: text },
  {
    word: 'wildcard',
    text: 'matches the whole value, * for anything, case-insensitive',
    types: text,
  },
  { word: 'strict wildcard', text: 'the same, case-sensitive', types: text },
  { word: 'matches', text: 'matches a regular expression', types: text },
  { word: 'lt', text: 'is less than', types: ordered },
  { word: 'le', text: 'is at most', types: ordered },
  { word: 'gt', text: 'is greater than', types: ordered },
  { word: 'ge', text: 'is at least', types: ordered },
  { word: 'bitwise_and', text: 'has a bit in common with', types: ['Integer'] },
]

export const operatorWords: ReadonlySet<string> = new Set(
  comparisonWords.flatMap(({ word }) => word.split(' ')),
)

/** Operators between comparisons. */
export const logicWords: readonly Word[] = [
  { word: 'and', text: 'both', types: [] },
  { word: 'or', text: 'one or both', types: [] },
  { word: 'xor', text: 'exactly one', types: [] },
]

/** The element type: the type after `[*]`, an index or a key. */
export function elementOf(type: ExpressionType): ExpressionType {
  const inner = /^(?:Array|Map)<(.*)>$/.exec(type)?.[1]
  return inner === undefined ? type : elementOf(inner as ExpressionType)
}
