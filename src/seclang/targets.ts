import type { Selector, VariableSelector } from './ast.ts'
import type { Report } from './report.ts'
import { isBlank } from './source-lines.ts'
import { variables } from './vocabulary.ts'
import type { Word } from './words.ts'

/**
 * Reads `A|!B:key|&C:/regex/|D:'key with | in it'|XML:/*`. A comma separates like `|`, as in ModSecurity 2. Mistakes
 * are reported and left out.
 */
export function parseTargets(word: Word, report: Report): VariableSelector[] {
  const { text } = word
  const targets: VariableSelector[] = []
  let i = 0
  while (i < text.length) {
    if (isSeparator(text, i)) {
      i++
      continue
    }
    const start = i
    const exclude = text[i] === '!'
    const count = text[i] === '&'
    if (exclude || count) i++
    const nameStart = i
    while (i < text.length && text[i] !== ':' && !isSeparator(text, i)) i++
    const written = text.slice(nameStart, i)
    const known = variables.find(written)
    if (known === undefined) {
      const message = written === '' ? 'a variable is missing' : `unknown variable ${written}`
      report.add('unknown-variable', word.span(nameStart, written.length), message, variables.hint(written))
    }
    let selector: Selector = { kind: 'all' }
    if (text[i] === ':') {
      const read = readSelector(text, i + 1, known?.name === 'XML')
      if ('problem' in read) {
        report.add(read.problem, word.span(i + 1, text.length - i - 1), read.message)
        return targets
      }
      if (known?.entry === false) {
        const message = `${known.name} is a single value: nothing can be selected in it`
        report.add('unexpected-selector', word.span(nameStart, read.end - nameStart), message)
      }
      selector = read.selector
      i = read.end
    }
    if (known !== undefined) {
      targets.push({ span: word.span(start, i - start), name: known.name, exclude, count, selector })
    }
  }
  if (targets.length === 0 && !report.full && text.trim() === '') {
    report.add('missing-variable', word.span(), 'no variable is named')
  }
  return targets
}

type ReadSelector =
  | { readonly selector: Selector; readonly end: number }
  | { readonly problem: string; readonly message: string }

/** Reads the selector after the colon, from `start` on. */
function readSelector(text: string, start: number, isXml: boolean): ReadSelector {
  if (text[start] === "'") {
    const end = closing(text, start + 1, "'")
    if (end === -1) return { problem: 'unclosed-quote', message: "the quote ' is not closed" }
    const inside = text.slice(start + 1, end).replaceAll("\\'", "'")
    return { selector: selectorOf(inside, isXml), end: end + 1 }
  }
  if (text[start] === '/' && !isXml) {
    const end = closingSlash(text, start + 1)
    if (end === -1) return { problem: 'unclosed-regex', message: 'the regular expression has no closing /' }
    return { selector: { kind: 'regex', pattern: text.slice(start + 1, end) }, end: end + 1 }
  }
  let end = start
  while (end < text.length && !isSeparator(text, end)) end++
  if (end === start) return { problem: 'missing-key', message: 'a key is missing after the colon' }
  return { selector: selectorOf(text.slice(start, end), isXml), end }
}

function selectorOf(text: string, isXml: boolean): Selector {
  if (isXml) return { kind: 'xpath', path: text }
  if (text.length >= 2 && text.startsWith('/') && text.endsWith('/')) {
    return { kind: 'regex', pattern: text.slice(1, -1) }
  }
  return { kind: 'key', key: text }
}

function closing(text: string, from: number, mark: string): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === mark) return i
  }
  return -1
}

/** The first unescaped slash with only a separator after it. */
function closingSlash(text: string, from: number): number {
  for (let i = closing(text, from, '/'); i !== -1; i = closing(text, i + 1, '/')) {
    if (i + 1 === text.length || isSeparator(text, i + 1)) return i
  }
  return -1
}

function isSeparator(text: string, i: number): boolean {
  return text[i] === '|' || text[i] === ',' || isBlank(text.charCodeAt(i))
}
