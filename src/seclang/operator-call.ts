import type { OperatorCall } from './ast.ts'
import type { Report } from './report.ts'
import { isBlank } from './source-lines.ts'
import { operators } from './vocabulary.ts'
import type { Word } from './words.ts'

/**
 * Reads `@name parameter`, `!@name parameter`, or a bare pattern (which means `@rx`).
 * @returns undefined after reporting an unknown operator
 */
export function parseOperator(word: Word, report: Report): OperatorCall | undefined {
  const { text } = word
  let i = skipBlanks(text, 0)
  const negated = text[i] === '!'
  if (negated) i = skipBlanks(text, i + 1)
  if (text[i] !== '@') return { span: word.span(), name: 'rx', negated, parameter: text.slice(i) }
  const nameStart = ++i
  while (i < text.length && !isBlank(text.charCodeAt(i))) i++
  const written = text.slice(nameStart, i)
  const known = operators.find(written)
  if (known === undefined) {
    const message = `unknown operator @${written}`
    report.add(
      'unknown-operator',
      word.span(nameStart - 1, written.length + 1),
      message,
      operators.hint(written),
    )
    return undefined
  }
  return { span: word.span(), name: known.name, negated, parameter: text.slice(skipBlanks(text, i)) }
}

function skipBlanks(text: string, from: number): number {
  let i = from
  while (i < text.length && isBlank(text.charCodeAt(i))) i++
  return i
}
