import { asciiLower } from '../../../kit/ascii.ts'
import { trimmed } from '../../../kit/blanks.ts'
import { fieldLimits } from '../../limits.ts'
import { headerParameter } from './header-parameter.ts'
import { addTo, mediaType } from './header-values.ts'

/** The parts of a multipart body in order: for each its header values, as arrays, and its content. */
export interface Multipart {
  readonly names: readonly (readonly string[])[]
  readonly filenames: readonly (readonly string[])[]
  readonly contentTypes: readonly (readonly string[])[]
  readonly contentDispositions: readonly (readonly string[])[]
  readonly contentTransferEncodings: readonly (readonly string[])[]
  readonly values: readonly string[]
}

type Part = { readonly headers: ReadonlyMap<string, readonly string[]>; readonly content: string }

/**
 * Reads the available part of a multipart body (RFC 2046 5.1): an unfinished part ends with it. There are no parts
 * when the body has another type or its boundary is missing or too long. From `fieldLimits.multipartPartsMax` on, the
 * rest is one part. Linear.
 */
export function readMultipart(contentType: string, body: string): Multipart {
  const parts = mediaType(contentType).startsWith('multipart/') ? readParts(contentType, body) : []
  const headersOf = (name: string) => parts.map(({ headers }) => headers.get(name) ?? [])
  const contentDispositions = headersOf('content-disposition')
  return {
    names: contentDispositions.map(lines => parametersOf(lines, 'name')),
    filenames: contentDispositions.map(lines => parametersOf(lines, 'filename')),
    contentTypes: headersOf('content-type'),
    contentDispositions,
    contentTransferEncodings: headersOf('content-transfer-encoding'),
    values: parts.map(({ content }) => content),
  }
}

/** Contents by the names of their parts. */
export function multipartMap({ names, values }: Multipart): ReadonlyMap<string, readonly string[]> {
  const map = new Map<string, string[]>()
  for (let at = 0; at < values.length; at++) {
    for (const name of names[at]!) addTo(map, name, values[at]!)
  }
  return map
}

function parametersOf(lines: readonly string[], name: string): readonly string[] {
  return lines.map(line => headerParameter(line, name)).filter(value => value !== undefined)
}

function readParts(contentType: string, body: string): readonly Part[] {
  const boundary = headerParameter(contentType, 'boundary') ?? ''
  if (boundary === '' || boundary.length > fieldLimits.multipartBoundaryBytesMax) return []
  const parts: Part[] = []
  let delimiter = nextDelimiter(body, `--${boundary}`, 0)
  while (delimiter !== undefined && !delimiter.isLast) {
    let next = nextDelimiter(body, `--${boundary}`, delimiter.end)
    if (parts.length === fieldLimits.multipartPartsMax - 1 && next?.isLast === false) next = undefined
    parts.push(readPart(body, delimiter.end, next?.start ?? body.length))
    delimiter = next
  }
  return parts
}

interface Delimiter {
  /** End of the content before it: the line break belongs to the delimiter. */
  readonly start: number
  /** Start of the content after its line. */
  readonly end: number
  readonly isLast: boolean
}

/** The next line that is `--boundary`, or `--boundary--`; blanks may follow (RFC 2046 5.1.1). */
function nextDelimiter(body: string, marker: string, from: number): Delimiter | undefined {
  for (let at = body.indexOf(marker, from); at >= 0; at = body.indexOf(marker, at + 1)) {
    if (at > 0 && body[at - 1] !== '\n') continue
    const behind = at + marker.length
    const isLast = body.startsWith('--', behind)
    const end = lineEnd(body, isLast ? behind + 2 : behind)
    if (end === undefined) continue
    return { start: Math.max(from, contentEnd(body, at)), end, isLast }
  }
  return undefined
}

/** Index after the line break, if only blanks precede it. */
function lineEnd(body: string, from: number): number | undefined {
  let at = from
  while (body[at] === ' ' || body[at] === '\t') at++
  if (at === body.length) return at
  if (body[at] === '\n') return at + 1
  return body[at] === '\r' && body[at + 1] === '\n' ? at + 2 : undefined
}

/** Where the line before this one ends, without its break. */
function contentEnd(body: string, lineStart: number): number {
  if (lineStart === 0) return 0
  return body[lineStart - 2] === '\r' ? lineStart - 2 : lineStart - 1
}

function readPart(body: string, start: number, end: number): Part {
  const headers = new Map<string, string[]>()
  let at = start
  for (let lines = 0; at < end; lines++) {
    const newline = body.indexOf('\n', at)
    const next = newline < 0 || newline >= end ? end : newline + 1
    const line = trimmed(body.slice(at, next))
    at = next
    if (line === '') break
    const colon = line.indexOf(':')
    if (colon > 0 && lines < fieldLimits.multipartPartHeadersMax) {
      addTo(headers, asciiLower(trimmed(line.slice(0, colon))), trimmed(line.slice(colon + 1)))
    }
  }
  return { headers, content: body.slice(at, end) }
}
