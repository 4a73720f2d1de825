import type { Action, Span } from './ast.ts'
import { hintOrList } from './name-table.ts'
import type { Report } from './report.ts'
import { isBlank } from './source-lines.ts'
import { actions, controls, controlValues, severities, transformations } from './vocabulary.ts'
import type { Word } from './words.ts'

/**
 * Reads `id:1,phase:2,setvar:'tx.a=b,c',msg:'it\'s'`. A value in `'…'` may hold commas; in it `\'` is a quote. Mistakes
 * are reported and left out.
 */
export function parseActions(word: Word, report: Report): Action[] {
  const { text } = word
  const list: Action[] = []
  let i = 0
  while (i < text.length) {
    if (text[i] === ',' || isBlank(text.charCodeAt(i))) {
      i++
      continue
    }
    const start = i
    while (i < text.length && text[i] !== ':' && text[i] !== ',') i++
    const written = text.slice(start, i).trimEnd()
    let value: string | undefined
    if (text[i] === ':') {
      const read = readValue(text, i + 1)
      if (read === undefined) {
        report.add('unclosed-quote', word.span(i + 1, text.length - i - 1), "the quote ' is not closed")
        return list
      }
      if (read.rest !== undefined) {
        const message = `unexpected text behind the value of ${written}`
        report.add(
          'unexpected-text',
          word.span(read.rest, read.end - read.rest),
          message,
          'actions are separated by commas',
        )
      }
      value = read.value
      i = read.end
    }
    const action = checkedAction(written, value, word.span(start, i - start), report)
    if (action !== undefined) list.push(action)
  }
  return list
}

interface ReadValue {
  readonly value: string
  /** Position of the comma, or the end of the text. */
  readonly end: number
  /** Start of misplaced text. */
  readonly rest?: number
}

function readValue(text: string, from: number): ReadValue | undefined {
  let i = from
  while (i < text.length && isBlank(text.charCodeAt(i))) i++
  if (text[i] !== "'") {
    const end = nextComma(text, i)
    return { value: text.slice(i, end).trimEnd(), end }
  }
  const close = closingQuote(text, i + 1)
  if (close === -1) return undefined
  const value = unescapeQuotes(text.slice(i + 1, close))
  let rest = close + 1
  while (rest < text.length && isBlank(text.charCodeAt(rest))) rest++
  if (rest === text.length || text[rest] === ',') return { value, end: rest }
  return { value, end: nextComma(text, rest), rest }
}

function nextComma(text: string, from: number): number {
  const comma = text.indexOf(',', from)
  return comma === -1 ? text.length : comma
}

function closingQuote(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === "'") return i
    if (text[i] === '\\') i++
  }
  return -1
}

/** `\'` → `'` and `\\` → `\`; other backslashes stay. Source: ModSecurity 2, quoted pairs of action values. */
function unescapeQuotes(raw: string): string {
  return raw.includes('\\') ? raw.replace(/\\([\\'])/g, '$1') : raw
}

function checkedAction(
  written: string,
  value: string | undefined,
  span: Span,
  report: Report,
): Action | undefined {
  const known = actions.find(written)
  if (known === undefined) {
    const nameSpan = { ...span, length: Math.max(1, written.length) }
    report.add('unknown-action', nameSpan, `unknown action ${written}`, actions.hint(written))
    return undefined
  }
  const { name, entry } = known
  if (value === undefined || value === '') {
    if (entry.value !== 'required') return { span, name }
    report.add('missing-value', span, `the action ${name} needs a value`)
    return undefined
  }
  if (entry.value === 'none') {
    report.add('unexpected-value', span, `the action ${name} takes no value`)
    return undefined
  }
  if (name === 't') return transformation(value, span, report)
  if (name === 'ctl') return control(value, span, report)
  if (name === 'severity') checkSeverity(value, span, report)
  return { span, name, value }
}

function checkSeverity(written: string, span: Span, report: Report): void {
  if (/^[0-7]$/.test(written) || severities.find(written) !== undefined) return
  report.add('invalid-value', span, `there is no severity ${written}`, hintOrList(severities, written))
}

function transformation(written: string, span: Span, report: Report): Action | undefined {
  const known = transformations.find(written)
  if (known !== undefined) return { span, name: 't', value: known.name }
  report.add(
    'unknown-transformation',
    span,
    `unknown transformation ${written}`,
    transformations.hint(written),
  )
  return undefined
}

function control(written: string, span: Span, report: Report): Action | undefined {
  const equals = written.indexOf('=')
  const name = (equals === -1 ? written : written.slice(0, equals)).trim()
  const known = controls.find(name)
  if (known === undefined) {
    report.add('unknown-ctl', span, `unknown control ctl:${name}`, controls.hint(name))
    return undefined
  }
  const value = equals === -1 ? '' : written.slice(equals + 1).trim()
  if (value === '') {
    report.add(
      'missing-value',
      span,
      `the control ctl:${known.name} needs a value`,
      `write ctl:${known.name}=…`,
    )
    return undefined
  }
  const values = controlValues[known.name]
  if (values !== undefined && values.find(value) === undefined) {
    report.add('invalid-value', span, `ctl:${known.name} cannot be ${value}`, hintOrList(values, value))
  }
  return { span, name: 'ctl', value: `${known.name}=${value}` }
}
