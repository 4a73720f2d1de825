import { UsageError } from '../../usage.ts'

/** A request read from a text. Strings are byte strings. */
export interface RequestText {
  readonly method: string
  readonly target: string
  readonly protocol: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  /** Deviations from the written request. */
  readonly notes: readonly string[]
}

/**
 * Reads a request line, headers, an empty line and a body; lines end with LF or CRLF. The body continues to the end of
 * the input, without a final line ending that Content-Length does not count. A missing Content-Length is added.
 * @throws UsageError with the number of the wrong line
 */
export function parseRequestText(bytes: Uint8Array): RequestText {
  const lines = new Lines(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'))
  let first = lines.next()
  while (first === '') first = lines.next()
  if (first === undefined) {
    throw new UsageError(
      'the request is empty: pipe one in or name a file, as in `sluice explain request.txt`',
    )
  }
  const [, method, target, protocol] = requestLine.exec(first) ?? []
  if (method === undefined || target === undefined || protocol === undefined) {
    const form = 'is not a request line such as `GET /path?a=b HTTP/1.1`'
    throw new UsageError(`line ${lines.number} of the request ${form} (a blank in the path is written %20)`)
  }
  const headers: (readonly [string, string])[] = []
  for (let line = lines.next(); line !== undefined && line !== ''; line = lines.next()) {
    headers.push(readHeader(line, lines.number))
  }
  return withBody({ method, target, protocol, headers }, bytes.subarray(lines.offset))
}

const requestLine = /^([^\s]+) ([^\s]+) (HTTP\/[0-9](?:\.[0-9])?)$/

function readHeader(line: string, number: number): readonly [string, string] {
  const [, name, value] = /^([^\s:]+):(.*)$/.exec(line) ?? []
  if (name === undefined || value === undefined) {
    const advice = 'write `Name: value` on one line, and an empty line before the body'
    throw new UsageError(`line ${number} of the request is not a header: ${advice}`)
  }
  return [name, value.replace(/^[ \t]+/, '').trimEnd()]
}

function withBody(head: Omit<RequestText, 'body' | 'notes'>, rest: Uint8Array): RequestText {
  const has = (name: string) => head.headers.some(header => header[0].toLowerCase() === name)
  const declared = head.headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1]
  const end = rest.length - finalLineEnding(rest)
  if (declared === undefined) {
    const body = rest.subarray(0, end)
    if (body.length === 0 || has('transfer-encoding')) return { ...head, body, notes: [] }
    const length = String(body.length)
    const headers = [...head.headers, ['Content-Length', length] as const]
    return { ...head, headers, body, notes: [`Content-Length: ${length} was added`] }
  }
  if (Number(declared) === end) return { ...head, body: rest.subarray(0, end), notes: [] }
  const notes =
    Number(declared) === rest.length
      ? []
      : [`Content-Length is ${declared}, but the body has ${rest.length} bytes; all are inspected`]
  return { ...head, body: rest, notes }
}

function finalLineEnding(bytes: Uint8Array): number {
  if (bytes.at(-1) !== 0x0a) return 0
  return bytes.at(-2) === 0x0d ? 2 : 1
}

/** The lines of a text, one after the other. */
class Lines {
  readonly #text: string
  /** Where the next line begins. */
  offset = 0
  /** Number of the line returned last, from 1. */
  number = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Without its ending; undefined after the last line. */
  next(): string | undefined {
    if (this.offset >= this.#text.length) return undefined
    const feed = this.#text.indexOf('\n', this.offset)
    const end = feed < 0 ? this.#text.length : feed
    const line = this.#text.slice(this.offset, end)
    this.offset = end + 1
    this.number++
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }
}
