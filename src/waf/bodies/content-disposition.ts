import type { MultipartFlags } from './multipart-flags.ts'

export type Disposition =
  | { readonly ok: true; readonly name: string | undefined; readonly filename: string | undefined }
  | { readonly ok: false; readonly error: string }

/**
 * `form-data` with `name` and `filename`, each at most once; any other parameter (`filename*` too) is refused. Values are
 * tokens or quoted; in quotes a backslash escapes the quote and itself and is literal before anything else.
 * @param flags single quotes and stray quotes are noted here
 */
export function parseDisposition(header: string, flags: MultipartFlags): Disposition {
  if (!header.startsWith('form-data')) return failed('not form-data')
  let name: string | undefined
  let filename: string | undefined
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
    else return failed(`unknown or repeated parameter ${parameter.name}`)
    at = skipBlanks(header, parameter.end)
  }
  return { ok: true, name, filename }
}

interface Parameter {
  readonly name: string
  readonly value: string
  readonly end: number
}

/** `name = value` at `start`, or what is wrong with it. */
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
  if (value.includes('"') || value.includes("'")) flags.invalidQuoting = true
  return { name, value, end }
}

/** In double quotes a single quote is a letter like others; in single quotes a double one is odd. */
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

/** Of what reaches up to a blank, a semicolon or one more kind of byte. */
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
