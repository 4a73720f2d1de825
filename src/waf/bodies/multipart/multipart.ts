import { isSpace } from '../../../kit/ascii.ts'
import { wafLimits } from '../../limits.ts'
import { lowercase } from '../../transformations/case.ts'
import type { Argument, BodyOptions, BodyReader, ParsedArguments } from '../body.ts'
import { holdsAscii } from '../charset-labels.ts'
import { type Boundary, readBoundary } from './boundary.ts'
import { type MultipartFlags, noFlags } from './flags.ts'
import { MultipartPart } from './part.ts'

export interface MultipartFile {
  /** Name of the form field (FILES_NAMES). */
  readonly field: string
  /** As the client sent them (FILES): from `filename` and `filename*`. They may be empty. */
  readonly filenames: readonly string[]
  /** Bytes. */
  readonly size: number
}

/** One header line of a part, without its line end; foldings joined by a blank. */
export interface PartHeader {
  /** `name` of the part, '' if it has none. */
  readonly part: string
  readonly line: string
}

export interface ParsedMultipart extends ParsedArguments {
  /** Parts with a file name. Their content is not kept, unless the name is empty: then they are fields as well. */
  readonly files: readonly MultipartFile[]
  readonly partHeaders: readonly PartHeader[]
  readonly flags: Readonly<MultipartFlags>
  /** MULTIPART_STRICT_ERROR: any flag or an error. */
  readonly strictError: boolean
  /** 1: a required boundary is missing; 2: a line begins with `--` and is no boundary; else 0. */
  readonly unmatchedBoundary: 0 | 1 | 2
  /** Fields have more bytes than were read. */
  readonly fieldsCut: boolean
  /** A charset that rules cannot read: of a part, or of all parts by the field `_charset_` (RFC 7578 section 4.6). */
  readonly unreadCharset: string | undefined
}

/**
 * Reads `multipart/form-data` as strictly as ModSecurity v2: ambiguous input sets a flag or ends the reading with an
 * error. Fields are not URL-decoded. One pass.
 */
export function multipartReader(contentType: string, options: BodyOptions = {}): BodyReader<ParsedMultipart> {
  const flags = noFlags()
  const fieldsMax = Math.min(options.argumentsMax ?? wafLimits.argumentsMax, wafLimits.multipartFieldsMax)
  const { fieldBytesMax = Number.POSITIVE_INFINITY } = options
  return new MultipartReader(readBoundary(contentType, flags), flags, fieldsMax, fieldBytesMax)
}

/** Reading methods take an offset in the text and return the offset where reading continues. */
class MultipartReader implements BodyReader<ParsedMultipart> {
  readonly #delimiter: string
  readonly #flags: MultipartFlags
  readonly #fieldsMax: number
  #fieldBytesLeft: number
  #fieldsCut = false
  #unreadCharset: string | undefined
  readonly #args: Argument[] = []
  readonly #files: MultipartFile[] = []
  readonly #partHeaders: PartHeader[] = []
  #error: string | undefined
  #state = AT_LINE
  /** The beginning of an unfinished line. Nothing reads it before the end, so that it is flattened once. */
  #held = ''
  /** Undefined before the first boundary. */
  #part: MultipartPart | undefined
  #boundaries = 0
  #sawDashes = false

  constructor(boundary: Boundary, flags: MultipartFlags, fieldsMax: number, fieldBytesMax: number) {
    this.#delimiter = boundary.ok ? `--${boundary.boundary}` : ''
    this.#flags = flags
    this.#fieldsMax = fieldsMax
    this.#fieldBytesLeft = fieldBytesMax
    if (!boundary.ok) this.#fail(boundary.error)
  }

  write(text: string): void {
    for (let at = 0; at < text.length; ) {
      if (this.#state === IN_CONTENT) at = this.#content(text, at)
      else if (this.#state === AT_LINE) at = this.#lineStart(text, at)
      else if (this.#state === IN_LINE) at = this.#line(text, at)
      else {
        if (this.#state === IN_BROKEN_PART) this.#addContent(text.slice(at))
        else if (this.#state === ENDED) this.#flags.dataAfter = true
        at = text.length
      }
    }
  }

  end(complete: boolean): ParsedMultipart {
    if (this.#held !== '') this.#endLine(this.#held, !complete)
    if (this.#state < ENDED && complete)
      this.#fail(this.#boundaries === 0 ? 'No boundaries found in payload' : 'Final boundary missing')
    if (this.#state !== ENDED) this.#closeBroken()
    const isBroken = this.#state !== ENDED && (complete || this.#boundaries === 0)
    return {
      args: this.#args,
      files: this.#files,
      partHeaders: this.#partHeaders,
      flags: this.#flags,
      strictError: this.#error !== undefined || Object.values(this.#flags).includes(true),
      unmatchedBoundary: isBroken ? 1 : this.#sawDashes ? 2 : 0,
      fieldsCut: this.#fieldsCut,
      unreadCharset: this.#unreadCharset,
      ...(this.#error === undefined ? {} : { error: this.#error }),
    }
  }

  /**
   * Content, or the text before the first boundary. It ends at a line that begins with `--`; other lines are not read.
   */
  #content(text: string, start: number): number {
    const found = text.indexOf('\n--', start)
    if (found >= 0) {
      this.#addContent(text.slice(start, found + 1))
      this.#state = IN_LINE
      return found + 1
    }
    const { length } = text
    const dash = text.charCodeAt(length - 1) === DASH ? 1 : 0
    const newline = length - dash - 1
    if (newline < start || text.charCodeAt(newline) !== LF) this.#addContent(text.slice(start))
    else {
      this.#addContent(text.slice(start, newline + 1))
      this.#held = text.slice(newline + 1)
      this.#state = AT_LINE
    }
    return length
  }

  /** Whether the line begins with `--`. One dash may be pending. */
  #lineStart(text: string, at: number): number {
    const missing = this.#held === '' ? '--' : '-'
    if (text.startsWith(missing, at)) this.#state = IN_LINE
    else if (missing === '--' && text.charCodeAt(at) === DASH && at + 1 === text.length) {
      this.#held = '-'
      return at + 1
    } else {
      if (this.#held !== '') this.#addContent(this.#held)
      this.#held = ''
      this.#state = IN_CONTENT
    }
    return at
  }

  /** A line of headers, or one that begins with `--`. */
  #line(text: string, start: number): number {
    const newline = text.indexOf('\n', start)
    if (newline < 0) {
      this.#held += text.slice(start)
      return text.length
    }
    const line = this.#held + text.slice(start, newline + 1)
    this.#held = ''
    this.#endLine(line, false)
    return newline + 1
  }

  /** @param isCut whether the body was cut in this line, its last */
  #endLine(line: string, isCut: boolean): void {
    const fault = this.#readLine(line, isCut)
    if (fault !== undefined) {
      this.#fail(fault)
      // The rest of a broken part is kept with it, so that rules see it.
      if (this.#part?.hasContent) {
        this.#addContent(line)
        this.#state = IN_BROKEN_PART
      }
    } else if (this.#state === IN_LINE || this.#state === AT_LINE)
      this.#state = this.#part === undefined || this.#part.hasContent ? AT_LINE : IN_LINE
  }

  /** @returns the error, if reading cannot continue */
  #readLine(line: string, isCut: boolean): string | undefined {
    if (line.startsWith(this.#delimiter)) return this.#boundaryLine(line, isCut)
    if (line.startsWith('--')) {
      if (this.#isNearBoundary(line)) return 'Invalid boundary (quotes or whitespace)'
      this.#sawDashes = true
    }
    if (this.#part !== undefined && !this.#part.hasContent) return this.#part.addHeaderLine(line, isCut)
    this.#addContent(line)
    return undefined
  }

  /** `--` and blanks or a quote before the boundary: some readers would accept it. */
  #isNearBoundary(line: string): boolean {
    let at = 2
    while (isSpace(line.charCodeAt(at))) at++
    if (line[at] === '"') at++
    return at > 2 && line.startsWith(this.#delimiter.slice(2), at)
  }

  #boundaryLine(line: string, isCut: boolean): string | undefined {
    let at = this.#delimiter.length
    const isLast = line.startsWith('--', at)
    if (isLast) at += 2
    const rest = line.slice(at)
    // The last boundary may end with the body.
    const isWhole = rest === '\r\n' || rest === '\n' || (isLast && rest === '')
    if (!isWhole && isCut) {
      if (this.#part?.hasContent) this.#addContent(line)
      return undefined
    }
    if (!isWhole) return 'Invalid boundary'
    if (rest === '\n') this.#flags.lfLine = true
    this.#boundaries++
    const fault = this.#closePart()
    if (isLast) this.#state = ENDED
    else this.#part = new MultipartPart(this.#flags)
    return fault
  }

  #addContent(piece: string): void {
    const part = this.#part
    if (part === undefined) this.#flags.dataBefore = true
    else if (!part.isField || piece.length <= this.#fieldBytesLeft) {
      if (part.isField) this.#fieldBytesLeft -= piece.length
      part.addContent(piece)
    } else {
      part.addContent(piece.slice(0, this.#fieldBytesLeft))
      this.#fieldBytesLeft = 0
      this.#fieldsCut = true
    }
  }

  #closePart(): string | undefined {
    const part = this.#part
    this.#part = undefined
    if (part === undefined) return undefined
    this.#keepHeaders(part)
    if (part.hasContent) {
      part.dropLineEnd()
      return this.#keepContent(part)
    }
    this.#flags.invalidPart = true
    return undefined
  }

  #keepHeaders(part: MultipartPart): void {
    for (const line of part.lines) this.#partHeaders.push({ part: part.name, line })
    this.#unreadCharset ??= part.unreadCharset
  }

  #keepContent({ name, filenames, isField, size, content }: MultipartPart): string | undefined {
    if (filenames.length > 0) {
      if (this.#files.length < wafLimits.multipartFilesMax) this.#files.push({ field: name, filenames, size })
      else this.#flags.fileLimitExceeded = true
    }
    if (!isField) return undefined
    if (this.#args.length === this.#fieldsMax) return `more than ${this.#fieldsMax} arguments`
    this.#args.push({ name, value: content })
    if (name === CHARSET_FIELD && !holdsAscii(lowercase(content))) this.#unreadCharset ??= lowercase(content)
    return undefined
  }

  /** Keeps the unfinished part, so that rules see it. */
  #closeBroken(): void {
    const part = this.#part
    if (part === undefined) return
    this.#keepHeaders(part)
    const fault = part.hasContent ? this.#keepContent(part) : undefined
    if (fault !== undefined) this.#fail(fault)
  }

  #fail(what: string): void {
    this.#error ??= `Multipart: ${what}`
    this.#state = STOPPED
  }
}

/** The role of the next byte. AT_LINE: a line of content begins with it, or with the pending dash. */
const AT_LINE = 0
const IN_LINE = 1
const IN_CONTENT = 2
const ENDED = 3
const IN_BROKEN_PART = 4
const STOPPED = 5

const CHARSET_FIELD = '_charset_'

const LF = 0x0a
const DASH = 0x2d
