import { isSpace } from '../../kit/ascii.ts'
import { wafLimits } from '../../kit/limits.ts'
import type { Argument, BodyOptions, ParsedArguments } from './body.ts'
import { parseDisposition } from './content-disposition.ts'
import { readBoundary } from './multipart-boundary.ts'
import { type MultipartFlags, noFlags } from './multipart-flags.ts'

export interface MultipartFile {
  /** Name of the form field (FILES_NAMES). */
  readonly field: string
  /** As the client sent it (FILES); may be empty. */
  readonly filename: string
  /** Bytes. */
  readonly size: number
}

/** One header line of a part, without its line end; foldings joined by a blank. */
export interface PartHeader {
  /** `name` of the part, '' when it has none. */
  readonly part: string
  readonly line: string
}

export interface ParsedMultipart extends ParsedArguments {
  /** Parts with a file name; their content is not kept. */
  readonly files: readonly MultipartFile[]
  readonly partHeaders: readonly PartHeader[]
  readonly flags: Readonly<MultipartFlags>
  /** MULTIPART_STRICT_ERROR: any flag or an error. */
  readonly strictError: boolean
  /** 1: a boundary that must be there is missing; 2: a line begins with `--` and is no boundary; else 0. */
  readonly unmatchedBoundary: 0 | 1 | 2
}

/**
 * Reads `multipart/form-data` as strictly as ModSecurity v2: what readers might understand differently sets a flag or ends
 * the reading with an error. Fields are not URL-decoded. One pass.
 */
export function parseMultipart(
  body: string,
  contentType: string,
  options: BodyOptions = {},
): ParsedMultipart {
  const flags = noFlags()
  const boundary = readBoundary(contentType, flags)
  const reader = new MultipartReader(body, boundary.ok ? boundary.boundary : '', flags, options)
  if (boundary.ok) reader.read()
  else reader.fail(boundary.error)
  return reader.result()
}

/** A part that is being read. */
interface Part {
  readonly headers: Map<string, string>
  readonly lines: string[]
  /** Foldings counted. */
  lineCount: number
  name: string
  filename: string | undefined
  /** Where its content begins; -1 as long as its headers last. */
  contentStart: number
}

class MultipartReader {
  readonly #body: string
  readonly #delimiter: string
  readonly #flags: MultipartFlags
  readonly #complete: boolean
  readonly #argumentsMax: number
  readonly #args: Argument[] = []
  readonly #files: MultipartFile[] = []
  readonly #partHeaders: PartHeader[] = []
  #error: string | undefined
  #part: Part | undefined
  #boundaries = 0
  #ended = false
  #sawDashes = false

  constructor(body: string, boundary: string, flags: MultipartFlags, options: BodyOptions) {
    this.#body = body
    this.#delimiter = `--${boundary}`
    this.#flags = flags
    this.#complete = options.complete ?? true
    this.#argumentsMax = Math.min(
      options.argumentsMax ?? wafLimits.argumentsMax,
      wafLimits.multipartFieldsMax,
    )
  }

  result(): ParsedMultipart {
    const broken = !this.#ended && (this.#complete || this.#boundaries === 0)
    return {
      args: this.#args,
      files: this.#files,
      partHeaders: this.#partHeaders,
      flags: this.#flags,
      strictError: this.#error !== undefined || Object.values(this.#flags).includes(true),
      unmatchedBoundary: broken ? 1 : this.#sawDashes ? 2 : 0,
      ...(this.#error === undefined ? {} : { error: this.#error }),
    }
  }

  fail(what: string): false {
    this.#error ??= `Multipart: ${what}`
    return false
  }

  read(): void {
    let at = 0
    while (at < this.#body.length && !this.#ended) {
      const inContent = this.#part !== undefined && this.#part.contentStart >= 0
      const start = inContent ? this.#nextDashes(at) : at
      if (start < 0) break
      const newline = this.#body.indexOf('\n', start)
      const end = newline < 0 ? this.#body.length : newline + 1
      if (!this.#line(start, end)) {
        this.#closeBroken()
        return
      }
      at = end
    }
    if (this.#ended) this.#flags.dataAfter = at < this.#body.length
    else this.#endOfBody()
  }

  /** Content of a part ends at a line that begins with `--`; other lines need no look. */
  #nextDashes(at: number): number {
    if (this.#body.startsWith('--', at)) return at
    const found = this.#body.indexOf('\n--', at)
    return found < 0 ? -1 : found + 1
  }

  /** @returns false when reading cannot go on */
  #line(start: number, end: number): boolean {
    if (this.#body.startsWith(this.#delimiter, start)) return this.#boundaryLine(start, end)
    if (this.#body.startsWith('--', start)) {
      if (this.#isNearBoundary(start)) return this.fail('Invalid boundary (quotes or whitespace)')
      this.#sawDashes = true
    }
    if (this.#part === undefined) this.#flags.dataBefore = true
    else if (this.#part.contentStart < 0) return this.#headerLine(this.#part, start, end)
    return true
  }

  /** `--` and blanks or a quote before the boundary: some readers would take it. */
  #isNearBoundary(start: number): boolean {
    let at = start + 2
    while (isSpace(this.#body.charCodeAt(at)) && at < start + NEAR_BYTES_MAX) at++
    if (this.#body[at] === '"') at++
    return at > start + 2 && this.#body.startsWith(this.#delimiter.slice(2), at)
  }

  #boundaryLine(start: number, end: number): boolean {
    let at = start + this.#delimiter.length
    const isLast = this.#body.startsWith('--', at)
    if (isLast) at += 2
    const rest = this.#body.slice(at, end)
    // The last boundary may end with the body.
    const isWhole = rest === '\r\n' || rest === '\n' || (isLast && rest === '')
    if (!isWhole && end === this.#body.length && !this.#complete) return true
    if (!isWhole) return this.fail('Invalid boundary')
    if (rest === '\n') this.#flags.lfLine = true
    this.#boundaries++
    if (!this.#closePart(start)) return false
    if (isLast) this.#ended = true
    else
      this.#part = {
        headers: new Map(),
        lines: [],
        lineCount: 0,
        name: '',
        filename: undefined,
        contentStart: -1,
      }
    return true
  }

  #headerLine(part: Part, start: number, end: number): boolean {
    const hasCr = this.#body.charCodeAt(end - 2) === 0x0d && end - 2 >= start
    const hasLf = this.#body.charCodeAt(end - 1) === 0x0a
    const line = this.#body.slice(start, end - (hasLf ? (hasCr ? 2 : 1) : 0))
    if (hasLf && !hasCr) this.#flags.lfLine = true
    if (line === '' && hasLf) return this.#endHeaders(part, end)
    if (line.length > wafLimits.multipartPartHeaderBytesMax) return this.fail('Part header too long')
    if (part.lineCount++ === wafLimits.multipartPartHeadersMax) return this.fail('Too many part headers')
    if (!hasLf && !this.#complete) {
      part.lines.push(line)
      return true
    }
    if (line.includes('\0')) return this.#badHeader(part, line, 'Nul byte in part headers')
    return isSpace(line.charCodeAt(0)) ? this.#foldedLine(part, line) : this.#newHeader(part, line)
  }

  #foldedLine(part: Part, line: string): boolean {
    this.#flags.headerFolding = true
    if (line[0] !== ' ' && line[0] !== '\t') this.#flags.invalidHeaderFolding = true
    const last = part.lines.length - 1
    if (last < 0) return this.#badHeader(part, line, 'Invalid part header (folding error)')
    const joined = `${part.lines[last]} ${trimStart(line)}`
    if (joined.length > wafLimits.multipartPartHeaderBytesMax) return this.fail('Part header too long')
    part.lines[last] = joined
    const colon = joined.indexOf(':')
    part.headers.set(joined.slice(0, colon).toLowerCase(), trimStart(joined.slice(colon + 1)))
    return true
  }

  #newHeader(part: Part, line: string): boolean {
    const colon = line.indexOf(':')
    if (colon < 0) return this.#badHeader(part, line, 'Invalid part header (colon missing)')
    if (colon === 0) return this.#badHeader(part, line, 'Invalid part header (header name missing)')
    for (let i = 0; i < colon; i++) {
      const code = line.charCodeAt(i)
      if (code > 0x20 && code < 0x7f) continue
      return this.#badHeader(part, line, 'Invalid part header (contains invalid character)')
    }
    const name = line.slice(0, colon).toLowerCase()
    if (part.headers.has(name)) return this.#badHeader(part, line, 'Duplicate part header')
    part.headers.set(name, trimStart(line.slice(colon + 1)))
    part.lines.push(line)
    return true
  }

  /** The line is kept for the rules on part headers. */
  #badHeader(part: Part, line: string, what: string): false {
    part.lines.push(line)
    return this.fail(what)
  }

  #endHeaders(part: Part, contentStart: number): boolean {
    const header = part.headers.get('content-disposition')
    if (header === undefined) return this.fail('Part missing Content-Disposition header')
    const disposition = parseDisposition(header, this.#flags)
    if (!disposition.ok) return this.fail(`Invalid Content-Disposition header (${disposition.error})`)
    if (disposition.name === undefined) return this.fail('Content-Disposition header missing name field')
    // Readers that search for this text would otherwise see no file where we see one.
    if (disposition.filename !== undefined && !header.includes('filename=')) {
      return this.fail('Invalid Content-Disposition header (filename)')
    }
    part.name = disposition.name
    part.filename = disposition.filename
    part.contentStart = contentStart
    return true
  }

  /** @param boundary start of the boundary line; the line end before it belongs to it */
  #closePart(boundary: number): boolean {
    const part = this.#part
    if (part === undefined) return true
    if (part.contentStart < 0) {
      this.#flags.invalidPart = true
      this.#keepHeaders(part)
      return true
    }
    let end = boundary
    if (end > part.contentStart && this.#body[end - 1] === '\n') end--
    if (end > part.contentStart && this.#body[end - 1] === '\r') end--
    return this.#keepPart(part, end)
  }

  #keepPart(part: Part, end: number): boolean {
    this.#part = undefined
    this.#keepHeaders(part)
    if (part.filename !== undefined) {
      if (this.#files.length < wafLimits.multipartFilesMax) {
        this.#files.push({ field: part.name, filename: part.filename, size: end - part.contentStart })
      } else this.#flags.fileLimitExceeded = true
      return true
    }
    if (this.#args.length === this.#argumentsMax)
      return this.fail(`more than ${this.#argumentsMax} arguments`)
    this.#args.push({ name: part.name, value: this.#body.slice(part.contentStart, end) })
    return true
  }

  #keepHeaders(part: Part): void {
    for (const line of part.lines) this.#partHeaders.push({ part: part.name, line })
  }

  /** The body ends without its last boundary; what the open part holds is kept. */
  #endOfBody(): void {
    if (this.#boundaries === 0 && this.#complete) this.fail('No boundaries found in payload')
    else if (this.#complete) this.fail('Final boundary missing')
    this.#closeBroken()
  }

  /** Keeps what there is of the part being read, so that rules see it. */
  #closeBroken(): void {
    const part = this.#part
    if (part === undefined) return
    if (part.contentStart < 0) this.#keepHeaders(part)
    else this.#keepPart(part, this.#body.length)
  }
}

/** Blanks between the dashes and a near boundary that are looked through. */
const NEAR_BYTES_MAX = 64

function trimStart(text: string): string {
  let start = 0
  while (isSpace(text.charCodeAt(start))) start++
  return text.slice(start)
}
