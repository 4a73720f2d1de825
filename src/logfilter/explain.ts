import type { Dataset } from '../model/dataset.ts'
import { type CheckedCriterion, type CheckedNode, checkTree, type Operand } from './check.ts'
import { rfc3339Of } from './nanoseconds.ts'
import { filterTree } from './parse.ts'
import type { FilterProblem, PositiveOperator } from './types.ts'

export type ExplainOutcome =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: FilterProblem }

/**
 * Describes the records that a filter keeps, in plain words and without a full stop: `Client request host is shop.test,
 * and edge response status is at least 500`. An empty text is no filter: `Every record`.
 */
export function explainFilter(filter: string, dataset: Dataset): ExplainOutcome {
  if (filter === '') return { ok: true, text: 'Every record' }
  const parsed = filterTree(filter)
  if (!parsed.ok) return parsed
  const checked = checkTree(parsed.tree, dataset)
  if (!checked.ok) return checked
  const text = nodeText(checked.node, true)
  return { ok: true, text: text.charAt(0).toUpperCase() + text.slice(1) }
}

/** Nested groups are in parentheses; a group of one reads as its member. */
function nodeText(node: CheckedNode, outermost: boolean): string {
  if (node.kind === 'criterion') return criterionText(node)
  if (node.nodes.length === 1) return nodeText(node.nodes[0]!, outermost)
  const text = node.nodes.map(child => nodeText(child, false)).join(`, ${node.kind} `)
  return outermost ? text : `(${text})`
}

function criterionText(criterion: CheckedCriterion): string {
  const { field, compared, operator, negated, operands } = criterion
  const name = fieldWords(field.name)
  const not = negated ? ' not' : ''
  if (compared === 'array') return `${subjectText(operands, negated)} among the ${name}`
  if (operator === 'in' && operands.length > 1)
    return negated
      ? `${name} is none of ${listText(operands, 'and')}`
      : `${name} is one of ${listText(operands, 'or')}`
  if (operator === 'eq' || operator === 'in')
    return operands[0] === '' ? `${name} is${not} empty` : `${name} is${not} ${operandText(operands[0]!)}`
  const words = compared === 'nanoseconds' ? timeWords : otherWords
  const [plain, negative] = words[operator]
  return `${name} ${negated ? negative : plain} ${operandText(operands[0]!)}`
}

type Words = Readonly<
  Record<Exclude<PositiveOperator, 'eq' | 'in'>, readonly [plain: string, negated: string]>
>

const otherWords: Words = {
  lt: ['is below', 'is not below'],
  leq: ['is at most', 'is not at most'],
  gt: ['is above', 'is not above'],
  geq: ['is at least', 'is not at least'],
  startsWith: ['starts with', 'does not start with'],
  endsWith: ['ends with', 'does not end with'],
  contains: ['contains', 'does not contain'],
}

const timeWords: Words = {
  ...otherWords,
  lt: ['is before', 'is not before'],
  leq: ['is not after', 'is after'],
  gt: ['is after', 'is not after'],
  geq: ['is not before', 'is before'],
}

function subjectText(operands: readonly Operand[], negated: boolean): string {
  if (operands.length === 1) return `${operandText(operands[0]!)} is${negated ? ' not' : ''}`
  return negated ? `none of ${listText(operands, 'and')} is` : `one of ${listText(operands, 'or')} is`
}

function listText(operands: readonly Operand[], last: 'and' | 'or'): string {
  const texts = operands.map(operandText)
  return `${texts.slice(0, -1).join(', ')} ${last} ${texts.at(-1)!}`
}

/** Text is quoted if it could be read as something else. */
function operandText(operand: Operand): string {
  if (typeof operand === 'bigint') return rfc3339Of(operand)
  if (typeof operand !== 'string') return String(operand)
  return /^[^\s,()"']+$/u.test(operand) ? operand : JSON.stringify(operand)
}

/** Acronyms next to other acronyms; the others are recognized by the lower case after them. */
const fieldWord = /WAF|SQLi|RCE|XSS|PII|TCP|RTT|AI(?=[A-Z])|[A-Z][A-Z0-9]+s?(?![a-z])|[A-Z]?[a-z0-9]+|[A-Z]/g

/** `ClientRequestHost` → client request host, `RayID` → ray ID, `WAFSQLiAttackScore` → WAF SQLi attack score. */
function fieldWords(name: string): string {
  const words = name.match(fieldWord) ?? [name]
  return words.map(word => (/^[A-Z][A-Z0-9]/.test(word) ? word : word.toLowerCase())).join(' ')
}
