import { WorkExceededError } from '../../expressions/index.ts'

/** Rewritten texts may hold any byte. A decoded line break must not start a new header line at the origin. */

/** @throws WorkExceededError when the value of a rule is too long, so that the rule cannot be evaluated */
export function requireShort(value: string | undefined, bytesMax: number): void {
  if (value !== undefined && value.length > bytesMax)
    throw new WorkExceededError(`a value that a rule computes has more than ${bytesMax} bytes`)
}

/** A path for a request line: begins with `/`; blanks, control and non-ASCII bytes, `?` and `#` are percent-encoded. */
export function pathText(path: string): string {
  return encoded(
    path.startsWith('/') ? path : `/${path}`,
    code => !isVisible(code) || code === 0x3f || code === 0x23,
  )
}

/** A query for a request line, without its leading `?`: encoded like a path, but it may hold `?`. */
export function queryText(query: string): string {
  return encoded(query, code => !isVisible(code) || code === 0x23)
}

/** A header value: CR, LF and NUL as spaces (RFC 9110 5.5). The same string when there are none. */
export function fieldText(value: string): string {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code === 0x0d || code === 0x0a || code === 0)
      return value.replaceAll('\r', ' ').replaceAll('\n', ' ').replaceAll('\0', ' ')
  }
  return value
}

function isVisible(code: number): boolean {
  return code > 0x20 && code < 0x7f
}

/** One pass; the same string when nothing has to be encoded. */
function encoded(text: string, isEncoded: (code: number) => boolean): string {
  let result = ''
  let copied = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (!isEncoded(code)) continue
    result += `${text.slice(copied, at)}%${code.toString(16).toUpperCase().padStart(2, '0')}`
    copied = at + 1
  }
  return copied === 0 ? text : result + text.slice(copied)
}
