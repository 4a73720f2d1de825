import { stringOfBytes } from '../../kit/bytes.ts'

/** Header lines of a message: names as sent, values as byte strings. */
export type HeaderLines = readonly (readonly [name: string, value: string])[]

/** The value of the first line with this name. @param lowerName in lower case */
export function firstHeader(headers: HeaderLines, lowerName: string): string | undefined {
  // Lines are searched many times for each request: unpacking each of them would cost more than the comparison.
  for (let at = 0; at < headers.length; at++) {
    const line = headers[at]!
    if (isNamed(line[0], lowerName)) return line[1]
  }
  return undefined
}

/** Values of every line with this name, joined by commas (RFC 9110 5.2); undefined when there is none. */
export function joinedHeader(headers: HeaderLines, lowerName: string): string | undefined {
  let joined: string | undefined
  for (let at = 0; at < headers.length; at++) {
    const line = headers[at]!
    if (isNamed(line[0], lowerName)) joined = joined === undefined ? line[1] : `${joined}, ${line[1]}`
  }
  return joined
}

function isNamed(name: string, lowerName: string): boolean {
  return name.length === lowerName.length && (name === lowerName || name.toLowerCase() === lowerName)
}

/** Name and value pairs from the flat list that node and undici use. */
export function headerLines(flat: readonly (string | Buffer)[]): [string, string][] {
  const lines = new Array<[string, string]>(flat.length >> 1)
  for (let at = 0; at + 1 < flat.length; at += 2) lines[at >> 1] = [latin1(flat[at]!), latin1(flat[at + 1]!)]
  return lines
}

/** The flat list that node's `writeHead` takes without a check of each line. */
export function flatHeaders(lines: HeaderLines): string[] {
  const flat = new Array<string>(lines.length * 2)
  let at = 0
  for (const [name, value] of lines) {
    flat[at++] = name
    flat[at++] = value
  }
  return flat
}

function latin1(text: string | Buffer): string {
  return typeof text === 'string' ? text : stringOfBytes(text)
}
