/** Header lines of a message: names as sent, values as byte strings. */
export type HeaderLines = readonly (readonly [name: string, value: string])[]

/** The value of the first line with this name. @param lowerName in lower case */
export function firstHeader(headers: HeaderLines, lowerName: string): string | undefined {
  for (const [name, value] of headers) {
    if (name.length === lowerName.length && name.toLowerCase() === lowerName) return value
  }
  return undefined
}

/** Values of every line with this name, joined by commas (RFC 9110 5.2); undefined when there is none. */
export function joinedHeader(headers: HeaderLines, lowerName: string): string | undefined {
  let joined: string | undefined
  for (const [name, value] of headers) {
    if (name.length === lowerName.length && name.toLowerCase() === lowerName)
      joined = joined === undefined ? value : `${joined}, ${value}`
  }
  return joined
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
  return typeof text === 'string' ? text : text.toString('latin1')
}
