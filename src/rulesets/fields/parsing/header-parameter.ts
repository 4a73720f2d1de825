import { asciiLower, isSpace } from '../../../kit/ascii.ts'
import { trimmed } from '../../../kit/blanks.ts'

/**
 * A parameter of a structured header value, such as `boundary` of a Content-Type: a token or a quoted string with its
 * escapes resolved (RFC 9110 5.6.6). The first with the name; undefined when there is none. Linear.
 * @param lowerName in lower case
 */
export function headerParameter(value: string, lowerName: string): string | undefined {
  let at = value.indexOf(';')
  while (at >= 0 && at < value.length) {
    at = skipSpace(value, at + 1)
    const nameStart = at
    while (at < value.length && value[at] !== '=' && value[at] !== ';') at++
    const isNamed = asciiLower(trimmed(value.slice(nameStart, at))) === lowerName
    if (value[at] === '=') {
      const parameter = readValue(value, skipSpace(value, at + 1))
      if (isNamed) return parameter.text
      at = parameter.end
    }
    at = value.indexOf(';', at)
  }
  return undefined
}

function readValue(value: string, start: number): { readonly text: string; readonly end: number } {
  if (value[start] !== '"') {
    const semicolon = value.indexOf(';', start)
    const end = semicolon < 0 ? value.length : semicolon
    return { text: trimmed(value.slice(start, end)), end }
  }
  let text = ''
  let at = start + 1
  let copied = at
  for (; at < value.length && value[at] !== '"'; at++) {
    if (value[at] !== '\\' || !isEscape(value[at + 1])) continue
    text += value.slice(copied, at)
    copied = ++at
  }
  return { text: text + value.slice(copied, at), end: at }
}

/** Browsers put paths with plain backslashes into file names: only these two are read as escapes. */
function isEscape(character: string | undefined): boolean {
  return character === '"' || character === '\\'
}

function skipSpace(value: string, from: number): number {
  let at = from
  while (isSpace(value.charCodeAt(at))) at++
  return at
}
