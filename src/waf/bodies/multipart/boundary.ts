import { isAlphanumeric, isSpace } from '../../../kit/ascii.ts'
import { wafLimits } from '../../limits.ts'
import type { MultipartFlags } from './flags.ts'

export type Boundary =
  | { readonly ok: true; readonly boundary: string }
  | { readonly ok: false; readonly error: string }

/**
 * The boundary of a `multipart/form-data` Content-Type. Strict, because readers disagree on odd ones. There must be one
 * parameter of that name, in lower case; other parameters must be plain `name=token`.
 * @param flags receives quoting, white space and a missing semicolon
 * @source RFC 2046 section 5.1.1; ModSecurity v2's checks
 */
export function readBoundary(contentType: string, flags: MultipartFlags): Boundary {
  if (contentType.length > wafLimits.multipartContentTypeBytesMax)
    return failed('Content-Type header too long')
  const lower = contentType.toLowerCase()
  if (!lower.startsWith(MEDIA_TYPE)) return failed('Invalid MIME type')
  const word = lower.indexOf('boundary')
  if (word < 0) return failed('Boundary not found in C-T')
  if (hasSecondBoundary(lower, word)) return failed('Multiple boundary parameters in C-T')
  if (!contentType.startsWith('boundary', word)) return failed('Invalid boundary in C-T (case sensitivity)')
  if (!checkBefore(contentType.slice(MEDIA_TYPE.length, word), flags))
    return failed('Invalid boundary in C-T (malformed)')
  return readValue(contentType, word + 'boundary'.length, flags)
}

const MEDIA_TYPE = 'multipart/form-data'

/**
 * The value may contain the word (browsers write `----WebKitFormBoundary…`); with a `=` after it, it is a parameter
 * again.
 */
function hasSecondBoundary(lower: string, first: number): boolean {
  const second = lower.indexOf('boundary', first + 1)
  return second >= 0 && lower.includes('=', second)
}

/** Between the media type and the boundary: one semicolon (only noted if absent), or plain parameters. */
function checkBefore(between: string, flags: MultipartFlags): boolean {
  const pieces = between.split(';')
  if (pieces.length === 1) {
    flags.missingSemicolon = true
    return isBlank(between)
  }
  return (
    isBlank(pieces[0]!) &&
    isBlank(pieces.at(-1)!) &&
    pieces.slice(1, -1).every(piece => !isBlank(piece) && isPlainParameter(piece))
  )
}

function readValue(contentType: string, start: number, flags: MultipartFlags): Boundary {
  const equals = contentType.indexOf('=', start)
  if (equals < 0 || !isBlank(contentType.slice(start, equals)))
    return failed('Invalid boundary in C-T (parameter name)')
  if (equals > start) flags.boundaryWhitespace = true
  const open = skipBlanks(contentType, equals + 1)
  if (open > equals + 1) flags.boundaryWhitespace = true
  if (contentType[open] !== '"') return readToken(contentType, open, flags)
  const close = contentType.indexOf('"', open + 1)
  if (close < 0) return failed('Invalid boundary in C-T (quote)')
  flags.boundaryQuoted = true
  return finish(contentType.slice(open + 1, close), contentType.slice(close + 1))
}

function readToken(contentType: string, start: number, flags: MultipartFlags): Boundary {
  const semicolon = contentType.indexOf(';', start)
  const end = semicolon < 0 ? contentType.length : semicolon
  const boundary = contentType.slice(start, end)
  const trimmed = boundary.trimEnd()
  if (trimmed !== boundary) flags.boundaryWhitespace = true
  if (boundary.includes('"')) return failed('Invalid boundary in C-T (quote)')
  return finish(trimmed, contentType.slice(end))
}

/** @param rest text after the value: empty, or `;` and plain parameters */
function finish(boundary: string, rest: string): Boundary {
  if (boundary === '') return failed('Invalid boundary in C-T (empty)')
  if (boundary.length > wafLimits.multipartBoundaryBytesMax) return failed('Invalid boundary in C-T (length)')
  for (let i = 0; i < boundary.length; i++) {
    if (!isBoundaryByte(boundary.charCodeAt(i))) return failed('Invalid boundary in C-T (characters)')
  }
  const [before, ...parameters] = rest.split(';')
  if (!isBlank(before!) || !parameters.every(isPlainParameter))
    return failed('Invalid boundary in C-T (malformed)')
  return { ok: true, boundary }
}

/** `name=token`, or only blanks. */
function isPlainParameter(piece: string): boolean {
  const trimmed = piece.trim()
  if (trimmed === '') return true
  const equals = trimmed.indexOf('=')
  return equals > 0 && isToken(trimmed.slice(0, equals)) && isToken(trimmed.slice(equals + 1))
}

function isToken(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (!isAlphanumeric(code) && !'!#$%&+-.^_`|~'.includes(text[i]!)) return false
  }
  return text !== ''
}

/** `bcharsnospace` of RFC 2046. */
function isBoundaryByte(code: number): boolean {
  return isAlphanumeric(code) || "'()+_,-./:=?".includes(String.fromCharCode(code))
}

function isBlank(text: string): boolean {
  return skipBlanks(text, 0) === text.length
}

function skipBlanks(text: string, start: number): number {
  let i = start
  while (isSpace(text.charCodeAt(i))) i++
  return i
}

function failed(error: string): Boundary {
  return { ok: false, error }
}
