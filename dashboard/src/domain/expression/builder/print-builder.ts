import type { FieldInfo } from '../types.ts'
import { type Builder, type Group, type Operator, type Row, valuesOf } from './builder.ts'
import { type FieldKind, kindOf } from './builder-fields.ts'

/**
 * Prints the builder's expression. An incomplete row prints as text that the engine refuses with a reason.
 * Groups of several rows are in parentheses when there are several groups, as in Cloudflare's dashboard.
 */
export function printBuilder(builder: Builder, fields: ReadonlyMap<string, FieldInfo>): string {
  if (builder.kind === 'all') return 'true'
  const { groups } = builder
  return groups.map(group => printGroup(group, groups.length > 1, fields)).join(' or ')
}

function printGroup(group: Group, among: boolean, fields: ReadonlyMap<string, FieldInfo>): string {
  const text = group.map(row => printRow(row, fields)).join(' and ')
  return among && group.length > 1 ? `(${text})` : text
}

/** One row as a complete expression. */
export function printRow(row: Row, fields: ReadonlyMap<string, FieldInfo>): string {
  const field = fields.get(row.field)
  const kind = (field && kindOf(field)) ?? 'text'
  if (row.operator === 'is on') return row.field
  if (row.operator === 'is off') return `not ${row.field}`
  if (row.operator === 'is present') return `${lengthOf(row)} gt 0`
  if (row.operator === 'is absent') return `not ${lengthOf(row)} gt 0`
  const { positive, negated } = withoutNot(row.operator, kind)
  const test = printTest({ ...row, operator: positive }, kind)
  return (negated ? 'not ' : '') + (isMany(kind) ? `any(${test})` : test)
}

function lengthOf({ field, key }: Row): string {
  return `len(${field}[${quoted(key)}])`
}

/** For several values, “does not equal” means that none is equal. */
function withoutNot(operator: Operator, kind: FieldKind): { positive: Operator; negated: boolean } {
  if (operator === 'ne' && isMany(kind)) return { positive: 'eq', negated: true }
  if (!operator.startsWith('not ')) return { positive: operator, negated: false }
  return { positive: operator.slice('not '.length) as Operator, negated: true }
}

function isMany(kind: FieldKind): boolean {
  return kind === 'texts' || kind === 'map'
}

function printTest(row: Row, kind: FieldKind): string {
  const operand = printOperand(row, kind)
  const { operator, values } = row
  const isText = kind !== 'integer' && kind !== 'ip'
  const literal = (value: string) => (isText ? quoted(value) : value.trim())
  const [value = ''] = values
  if (valuesOf(operator) === 'many') return `${operand} in {${values.map(literal).join(' ')}}`
  if (operator === 'in list') return `${operand} in $${value}`
  if (operator === 'starts_with' || operator === 'ends_with')
    return `${operator}(${operand}, ${literal(value)})`
  if (operator === 'matches') return `${operand} matches ${raw(value)}`
  if (operator === 'wildcard' || operator === 'strict wildcard') return `${operand} ${operator} ${raw(value)}`
  return `${operand} ${operator} ${literal(value)}`
}

function printOperand({ field, key }: Row, kind: FieldKind): string {
  if (kind === 'map') return `${field}[${quoted(key)}][*]`
  return kind === 'texts' ? `${field}[*]` : field
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** Patterns in quotes when they need no escapes, otherwise as raw strings. */
function raw(text: string): string {
  if (!/["\\]/.test(text)) return `"${text}"`
  let hashes = ''
  while (text.includes(`"${hashes}`)) hashes += '#'
  return `r${hashes}"${text}"${hashes}`
}
