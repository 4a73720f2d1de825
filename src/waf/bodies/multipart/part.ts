import { isSpace } from '../../../kit/ascii.ts'
import { wafLimits } from '../../limits.ts'
import { lowercase } from '../../transformations/case.ts'
import { unreadCharset } from '../charset.ts'
import { parseDisposition } from './content-disposition.ts'
import type { MultipartFlags } from './flags.ts'

/** The current part: its headers, then its content. Errors of a line are returned as texts. */
export class MultipartPart {
  /** Header lines without their ends, foldings joined by a blank, including a wrong last line. */
  readonly lines: string[] = []
  /** The headers have ended. */
  hasContent = false
  name = ''
  /** From `filename` and `filename*`, in that order; empty for a plain field. */
  filenames: readonly string[] = []
  /** Whether it is a field, or some reader may take it as one. Then its content is kept. */
  isField = true
  /** Bytes of the content so far. */
  size = 0
  readonly #flags: MultipartFlags
  #lineCount = 0
  #names: Set<string> | undefined
  #dispositionLine = -1
  /** Nothing reads it before the end, so that it is flattened once. Of a file only the last bytes are kept. */
  #content = ''

  constructor(flags: MultipartFlags) {
    this.#flags = flags
  }

  /** @param raw with its line end, unless the body ends in it */
  addHeaderLine(raw: string, isBodyCut: boolean): string | undefined {
    const hasLf = raw.charCodeAt(raw.length - 1) === LF
    const hasCr = hasLf && raw.length > 1 && raw.charCodeAt(raw.length - 2) === CR
    const line = hasLf ? raw.slice(0, raw.length - (hasCr ? 2 : 1)) : raw
    if (hasLf && !hasCr) this.#flags.lfLine = true
    if (line === '' && hasLf) return this.#endHeaders()
    if (line.length > wafLimits.multipartPartHeaderBytesMax) return 'Part header too long'
    if (this.#lineCount++ === wafLimits.multipartPartHeadersMax) return 'Too many part headers'
    if (isBodyCut) return this.#addLine(line, undefined)
    if (line.includes('\0')) return this.#addLine(line, 'Nul byte in part headers')
    return isSpace(line.charCodeAt(0)) ? this.#addFolded(line) : this.#addHeader(line)
  }

  addContent(piece: string): void {
    this.size += piece.length
    if (this.isField) this.#content += piece
    else this.#content = piece.length > 1 ? piece.slice(-2) : (this.#content + piece).slice(-2)
  }

  /** The line end before the boundary belongs to the boundary. */
  dropLineEnd(): void {
    const content = this.#content
    let end = content.length
    if (end > 0 && content.charCodeAt(end - 1) === LF) end--
    if (end > 0 && content.charCodeAt(end - 1) === CR) end--
    this.size -= content.length - end
    this.#content = content.slice(0, end)
  }

  /** Bytes of a field. */
  get content(): string {
    return this.#content
  }

  /** The first charset in its Content-Type that rules cannot read. */
  get unreadCharset(): string | undefined {
    for (const line of this.lines) {
      const charset = lowercase(line).startsWith(CONTENT_TYPE) ? unreadCharset(line) : undefined
      if (charset !== undefined) return charset
    }
    return undefined
  }

  #addFolded(line: string): string | undefined {
    this.#flags.headerFolding = true
    if (line[0] !== ' ' && line[0] !== '\t') this.#flags.invalidHeaderFolding = true
    const last = this.lines.length - 1
    if (last < 0) return this.#addLine(line, 'Invalid part header (folding error)')
    const joined = `${this.lines[last]} ${line.slice(spacesEnd(line, 0))}`
    if (joined.length > wafLimits.multipartPartHeaderBytesMax) return 'Part header too long'
    this.lines[last] = joined
    return undefined
  }

  #addHeader(line: string): string | undefined {
    const colon = line.indexOf(':')
    if (colon < 0) return this.#addLine(line, 'Invalid part header (colon missing)')
    if (colon === 0) return this.#addLine(line, 'Invalid part header (header name missing)')
    for (let i = 0; i < colon; i++) {
      const code = line.charCodeAt(i)
      if (code > 0x20 && code < 0x7f) continue
      return this.#addLine(line, 'Invalid part header (contains invalid character)')
    }
    const name = line.slice(0, colon).toLowerCase()
    this.#names ??= new Set()
    if (this.#names.has(name)) return this.#addLine(line, 'Duplicate part header')
    this.#names.add(name)
    if (name === DISPOSITION) this.#dispositionLine = this.lines.length
    return this.#addLine(line, undefined)
  }

  /** Wrong lines are kept for the rules on part headers. */
  #addLine(line: string, fault: string | undefined): string | undefined {
    this.lines.push(line)
    return fault
  }

  #endHeaders(): string | undefined {
    const line = this.lines[this.#dispositionLine]
    if (line === undefined) return 'Part missing Content-Disposition header'
    const header = line.slice(spacesEnd(line, DISPOSITION.length + 1))
    const disposition = parseDisposition(header, this.#flags)
    if (!disposition.ok) return `Invalid Content-Disposition header (${disposition.error})`
    const { name, filename, extendedFilename } = disposition
    if (name === undefined) return 'Content-Disposition header missing name field'
    // Readers that search for this text would see no file where this reader sees one.
    if (filename !== undefined && !header.includes('filename='))
      return 'Invalid Content-Disposition header (filename)'
    this.name = name
    this.filenames = [filename, extendedFilename].filter(given => given !== undefined)
    // Readers that do not know `filename*` see a field; so do some readers for an empty file name.
    this.isField = filename === undefined || filename === ''
    this.hasContent = true
    return undefined
  }
}

const LF = 0x0a
const CR = 0x0d
const DISPOSITION = 'content-disposition'
const CONTENT_TYPE = 'content-type:'

function spacesEnd(text: string, start: number): number {
  let i = start
  while (isSpace(text.charCodeAt(i))) i++
  return i
}
