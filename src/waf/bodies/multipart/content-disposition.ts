import { hexValue } from '../../../kit/ascii.ts'
import { lowercase } from '../../transformations/case.ts'
import { percentDecode } from '../../transformations/url-decode.ts'
import { holdsAscii } from '../charset-labels.ts'
import type { MultipartFlags } from './flags.ts'

export type Disposition =
  | {
      readonly ok: true
      readonly name: string | undefined
      readonly filename: string | undefined
      /** `filename*`, decoded: bytes of its charset. */
      readonly extendedFilename: string | undefined
    }
  | { readonly ok: false; readonly error: string }

/**
 * `form-data` with `name`, `filename` and `filename*`, each at most once; any other parameter is refused. Values are
 * tokens or quoted. In quotes a backslash escapes the quote and itself, and is literal before other bytes.
 * @param flags receives single quotes and stray quotes
 */
export function parseDisposition(header: string, flags: MultipartFlags): Disposition {
  if (!header.startsWith('form-data')) return failed('not form-data')
  let name: string | undefined
  let filename: string | undefined
  let extendedFilename: string | undefined
  let at = skipBlanks(header, 'form-data'.length)
  while (at < header.length) {
    if (header[at] !== ';') {
      if (header[at] === '"' || header[at] === "'") flags.invalidQuoting = true
      return failed('a semicolon is expected')
    }
    const parameter = readParameter(header, skipBlanks(header, at + 1), flags)
    if (typeof parameter === 'string') return failed(parameter)
    if (parameter.name === 'name' && name === undefined) name = parameter.value
    else if (parameter.name === 'filename' && filename === undefined) filename = parameter.value
    else if (parameter.name === EXTENDED && extendedFilename === undefined) {
      extendedFilename = decodeExtended(parameter.value)
      if (extendedFilename === undefined) return failed('a filename* that is not charset, language and text')
    } else return failed(`unknown or repeated parameter ${parameter.name}`)
    at = skipBlanks(header, parameter.end)
  }
  return { ok: true, name, filename, extendedFilename }
}

interface Parameter {
  readonly name: string
  readonly value: string
  readonly end: number
}

/** `name = value` at `start`, or the error. */
function readParameter(header: string, start: number, flags: MultipartFlags): Parameter | string {
  const nameEnd = wordEnd(header, start, EQUALS)
  const name = header.slice(start, nameEnd)
  const equals = skipBlanks(header, nameEnd)
  if (name === '' || header[equals] !== '=') return 'a parameter without a name or a value'
  const open = skipBlanks(header, equals + 1)
  const quote = header[open]
  if (quote === undefined) return 'a parameter without a value'
  if (quote === "'") flags.invalidQuoting = true
  if (quote === '"' || quote === "'") return readQuoted(header, name, open, flags)
  const end = wordEnd(header, open, SEMICOLON)
  const value = header.slice(open, end)
  if (value.includes('"') || (name !== EXTENDED && value.includes("'"))) flags.invalidQuoting = true
  return { name, value, end }
}

const EXTENDED = 'filename*'

/**
 * `utf-8'en'%e2%82%ac.txt`: a text with its charset and language; escapes must be complete.
 * @source RFC 8187 section 3.2
 */
function decodeExtended(value: string): string | undefined {
  const charsetEnd = value.indexOf("'")
  const languageEnd = charsetEnd < 0 ? -1 : value.indexOf("'", charsetEnd + 1)
  if (languageEnd < 0 || charsetEnd === 0 || !holdsAscii(lowercase(value.slice(0, charsetEnd))))
    return undefined
  const text = value.slice(languageEnd + 1)
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) {
    if (hexValue(text.charCodeAt(at + 1)) < 0 || hexValue(text.charCodeAt(at + 2)) < 0) return undefined
  }
  return percentDecode(text)
}

/** In double quotes, a single quote is an ordinary byte; in single quotes, a double one is odd. */
function readQuoted(header: string, name: string, open: number, flags: MultipartFlags): Parameter | string {
  const quote = header[open]!
  let value = ''
  let from = open + 1
  for (let i = from; i < header.length; i++) {
    if (header[i] === quote) {
      value += header.slice(from, i)
      if (quote === "'" && value.includes('"')) flags.invalidQuoting = true
      return { name, value, end: i + 1 }
    }
    if (header[i] === '\\' && (header[i + 1] === quote || header[i + 1] === '\\')) {
      value += header.slice(from, i)
      i++
      from = i
    }
  }
  return 'a quote that is not closed'
}

/** Tokens end at a blank, a semicolon or one more kind of byte. */
function wordEnd(header: string, start: number, stop: number): number {
  let i = start
  for (; i < header.length; i++) {
    const code = header.charCodeAt(i)
    if (code === SPACE || code === TAB || code === SEMICOLON || code === stop) break
  }
  return i
}

function skipBlanks(header: string, start: number): number {
  let i = start
  while (i < header.length && (header.charCodeAt(i) === SPACE || header.charCodeAt(i) === TAB)) i++
  return i
}

function failed(error: string): Disposition {
  return { ok: false, error }
}

const TAB = 0x09
const SPACE = 0x20
const SEMICOLON = 0x3b
const EQUALS = 0x3d
