import type { ExpressionType } from '../../../src/expressions/types.ts'

const text = ['String', 'Bytes']
const ordered = [...text, 'Integer', 'IP']

interface Word {
  readonly word: string
  readonly text: string
  /** Types that it can stand behind. */
  readonly types: readonly string[]
}

/** Comparison operators in English, in the order in which they are offered. */
export const comparisonWords: readonly Word[] = [
  { word: 'eq', text: 'equals', types: ordered },
  { word: 'ne', text: 'does not equal', types: ordered },
  { word: 'in', text: 'is one of {…}, or in a list: in $name', types: ordered },
  { word: 'contains', text: 'holds this text', types: text },
  {
    word: 'wildcard',
    text: 'the whole value, * for anything, upper and lower case are the same',
    types: text,
  },
  { word: 'strict wildcard', text: 'the same, upper and lower case are different', types: text },
  { word: 'matches', text: 'a regular expression is found in it', types: text },
  { word: 'lt', text: 'is less than', types: ordered },
  { word: 'le', text: 'is at most', types: ordered },
  { word: 'gt', text: 'is greater than', types: ordered },
  { word: 'ge', text: 'is at least', types: ordered },
  { word: 'bitwise_and', text: 'shares a bit with', types: ['Integer'] },
]

export const operatorWords: ReadonlySet<string> = new Set(
  comparisonWords.flatMap(({ word }) => word.split(' ')),
)

/** Between comparisons. */
export const logicWords: readonly Word[] = [
  { word: 'and', text: 'both', types: [] },
  { word: 'or', text: 'one of them or both', types: [] },
  { word: 'xor', text: 'one of them and not both', types: [] },
]

/** The type of one element: what stands in a comparison after `[*]`, a position or a key. */
export function elementOf(type: ExpressionType): ExpressionType {
  const inner = /^(?:Array|Map)<(.*)>$/.exec(type)?.[1]
  return inner === undefined ? type : elementOf(inner as ExpressionType)
}
