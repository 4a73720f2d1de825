import { bytesOfText, textOfBytes } from '../../kit/bytes.ts'
import { addressText } from '../address.ts'
import type { Literal } from '../functions/spec.ts'
import type { ValueType } from '../value-type.ts'
import type { Argument, Expression, Logical, LogicalOperator, Operand, Step, Test } from './ast.ts'
import { Lexer } from './lexer.ts'
import { type IntRange, type IpRange, readPattern } from './literals.ts'

/**
 * An expression in its canonical spelling, which reads as the same tree: English operators, single blanks, and only the
 * parentheses that preserve the tree.
 */
export function printExpression<C>(expression: Expression<C>): string {
  switch (expression.kind) {
    case 'logical':
      return printLogical(expression)
    case 'not': {
      const item = printExpression(expression.item)
      return expression.item.kind === 'logical' ? `not (${item})` : `not ${item}`
    }
    case 'quantifier':
      return `${expression.every ? 'all' : 'any'}(${printInCall(expression.item)})`
    case 'comparison':
      return `${printOperand(expression.operand)} ${printTest(expression.test)}`
    case 'truth':
      return printOperand(expression.operand)
  }
}

const rank: Readonly<Record<LogicalOperator, number>> = { and: 3, xor: 2, or: 1 }

function printLogical<C>({ operator, items }: Logical<C>): string {
  const shown = items.map(item => {
    const needsParentheses = item.kind === 'logical' && rank[item.operator] <= rank[operator]
    return needsParentheses ? `(${printExpression(item)})` : printExpression(item)
  })
  return shown.join(` ${operator} `)
}

/** An argument is a whole expression only if its first token shows that. */
function printInCall<C>(expression: Expression<C>): string {
  const shown = printExpression(expression)
  const shows = ['(', 'not ', 'any(', 'all('].some(start => shown.startsWith(start))
  return expression.kind === 'logical' && !shows ? `(${shown})` : shown
}

export function printOperand<C>({ root, path }: Operand<C>): string {
  return printRoot(root) + path.map(printStep).join('')
}

function printRoot<C>(root: Operand<C>['root']): string {
  if (root.kind === 'field') return root.field.name
  if (root.kind === 'constant') return String(root.value)
  return `${root.call.spec.name}(${root.call.arguments.map(printArgument).join(', ')})`
}

function printStep(step: Step): string {
  if (step.kind === 'each') return '[*]'
  return step.kind === 'key' ? `[${printString(step.key)}]` : `[${step.index}]`
}

function printArgument<C>(argument: Argument<C>): string {
  if (argument.kind === 'literal') return printLiteral(argument.value, argument.type)
  if (argument.kind === 'operand') return printOperand(argument.operand)
  // Without parentheses it would be an operand, which a `[*]` turns into something else.
  const isTruth = argument.expression.kind === 'truth'
  return isTruth ? `(${printExpression(argument.expression)})` : printInCall(argument.expression)
}

function printLiteral(value: Literal, type: ValueType): string {
  return type === 'Bytes' ? printString(value as string) : String(value)
}

/** In quotes; bytes that are no text, and invisible characters, as `\xHH`. */
function printString(bytes: string): string {
  const isText = bytesOfText(textOfBytes(bytes)) === bytes
  let shown = ''
  for (const byte of bytes) {
    const code = byte.charCodeAt(0)
    if (byte === '"' || byte === '\\') shown += `\\${byte}`
    else if (code < 0x20 || code === 0x7f || (code > 0x7f && !isText)) {
      shown += `\\x${code.toString(16).padStart(2, '0')}`
    } else shown += byte
  }
  return `"${textOfBytes(shown)}"`
}

function printTest<C>(test: Test<C>): string {
  switch (test.kind) {
    case 'order-string':
      return `${test.operator} ${printString(test.literal)}`
    case 'order-integer':
      return `${test.operator} ${test.literal}`
    case 'order-ip':
      return `${test.operator} ${addressText(test.literal)}`
    case 'order-operand':
      return `${test.operator} ${printOperand(test.right)}`
    case 'in-strings':
      return printSet(test.items.map(printString))
    case 'in-integers':
      return printSet(test.items.map(printIntRange))
    case 'in-ips':
      return printSet(test.items.map(printIpRange))
    case 'in-list':
      return `in $${test.name}`
    case 'bits':
      return `bitwise_and ${test.literal}`
    case 'contains':
      return `contains ${printString(test.literal)}`
    case 'wildcard':
      return `${test.strict ? 'strict wildcard' : 'wildcard'} ${printString(test.pattern)}`
    case 'matches':
      return `matches ${printPattern(test.matcher.source)}`
  }
}

function printSet(items: readonly string[]): string {
  return `in {${items.join(' ')}}`
}

function printIntRange({ first, last }: IntRange): string {
  return first === last ? String(first) : `${first}..${last}`
}

/** As a network if it is one. */
function printIpRange({ first, last }: IpRange): string {
  const shown = addressText(first)
  if (first.bytes === last.bytes) return shown
  const prefix = prefixOf(first.bytes, last.bytes)
  return prefix === undefined ? `${shown}..${addressText(last)}` : `${shown}/${prefix}`
}

/** The number of leading bits that all addresses share; undefined if the range is not a whole network. */
function prefixOf(first: string, last: string): number | undefined {
  const bits = (bytes: string) =>
    Array.from(bytes, byte => byte.charCodeAt(0).toString(2).padStart(8, '0')).join('')
  const low = bits(first)
  const high = bits(last)
  let shared = 0
  while (low[shared] === high[shared]) shared++
  const isNetwork = !low.slice(shared).includes('1') && !high.slice(shared).includes('0')
  return isNetwork ? shared : undefined
}

/** In quotes if they can hold it (not for a quote after a backslash); else raw. */
function printPattern(pattern: string): string {
  const quoted = `"${escapeQuotes(pattern)}"`
  if (isReadAs(quoted, pattern)) return textOfBytes(quoted)
  let hashes = ''
  while (pattern.includes(`"${hashes}`)) hashes += '#'
  return textOfBytes(`r${hashes}"${pattern}"${hashes}`)
}

/** The inverse of `readPattern`: outside of classes only, and pairs with a backslash stay together. */
function escapeQuotes(pattern: string): string {
  let escaped = ''
  let inClass = false
  for (let at = 0; at < pattern.length; at++) {
    const byte = pattern[at]!
    if (byte === '\\') escaped += byte + (pattern[++at] ?? '')
    else escaped += byte === '"' && !inClass ? '\\"' : byte
    if (byte === '[') inClass = true
    else if (byte === ']') inClass = false
  }
  return escaped
}

function isReadAs(quoted: string, pattern: string): boolean {
  const lexer = new Lexer(textOfBytes(quoted))
  try {
    return readPattern(lexer).pattern === pattern && lexer.atEnd
  } catch {
    return false
  }
}
