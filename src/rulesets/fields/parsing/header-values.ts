import { asciiLower, lowerCode } from '../../../kit/ascii.ts'
import { trimmed } from '../../../kit/blanks.ts'
import type { HeaderPairs } from '../request-view.ts'

/** Lower-case name → values in order, untouched and never joined. */
export function headerMap(lines: HeaderPairs): ReadonlyMap<string, readonly string[]> {
  const map = new Map<string, string[]>()
  for (const [name, value] of lines) addTo(map, lowerName(name), value)
  return map
}

export function headerNames(lines: HeaderPairs): readonly string[] {
  return lines.map(([name]) => name)
}

/** In the order of their names. */
export function headerValues(lines: HeaderPairs): readonly string[] {
  return lines.map(([, value]) => value)
}

/** Values of the lines with this name, joined; empty when there is none. @param lowerName in lower case */
export function headerText(lines: HeaderPairs, lowerName: string, separator = ', '): string {
  let text: string | undefined
  for (const [name, value] of lines) {
    if (isNamed(name, lowerName)) text = text === undefined ? value : text + separator + value
  }
  return text ?? ''
}

/** The value of the first line with this name; empty when there is none. @param lowerName in lower case */
export function firstHeader(lines: HeaderPairs, lowerName: string): string {
  for (const [name, value] of lines) if (isNamed(name, lowerName)) return value
  return ''
}

/** The part before the first `;` of a Content-Type, trimmed and in lower case. */
export function mediaType(contentType: string): string {
  const end = contentType.indexOf(';')
  return asciiLower(trimmed(end < 0 ? contentType : contentType.slice(0, end)))
}

/** The platform's method is several times faster, and the same for ASCII names, as nearly all are. */
function lowerName(name: string): string {
  for (let at = 0; at < name.length; at++) if (name.charCodeAt(at) > 0x7f) return asciiLower(name)
  return name.toLowerCase()
}

/** Appends to the values of a name. */
export function addTo(map: Map<string, string[]>, name: string, value: string): void {
  const values = map.get(name)
  if (values === undefined) map.set(name, [value])
  else values.push(value)
}

function isNamed(name: string, lowerName: string): boolean {
  if (name.length !== lowerName.length) return false
  for (let at = 0; at < name.length; at++) {
    if (lowerCode(name.charCodeAt(at)) !== lowerName.charCodeAt(at)) return false
  }
  return true
}
