import { dnsLimits } from '../limits.ts'

/** An entry of a zone file, which may span lines with parentheses. */
export interface FileEntry {
  /** Where the entry begins, from 1. */
  readonly line: number
  /** The entry begins with a blank: it has the name of the entry before. */
  readonly continues: boolean
  readonly fields: readonly FileField[]
  /** Text after `;`. */
  readonly remark: string
}

export interface FileField {
  /** Without quotes and escapes. */
  readonly text: string
  readonly quoted: boolean
}

/** The file breaks the rules of its format. */
export class ZoneFileError extends Error {
  readonly line: number
  constructor(line: number, reason: string) {
    super(reason)
    this.name = 'ZoneFileError'
    this.line = line
  }
}

/** A blank, a line break, a remark, a parenthesis, a quoted string, or a word. */
const tokens = /([ \t]+)|(\r?\n)|;([^\r\n]*)|([()])|"((?:[^"\\]|\\[\s\S])*)"|((?:[^\s;()"\\]|\\[\s\S])+)/y

/** @source RFC 1035 5.1 @throws ZoneFileError */
export function* entriesOf(file: string): Generator<FileEntry> {
  const token = new RegExp(tokens)
  let line = 1
  let depth = 0
  let entry = newEntry(line)
  while (token.lastIndex < file.length) {
    const at = token.lastIndex
    const found = token.exec(file)
    if (found === null) throw new ZoneFileError(line, 'a quote is not closed')
    const [all, blank, lineBreak, remark, parenthesis, quoted, word] = found
    if (blank !== undefined) {
      if (entry.fields.length === 0 && (at === 0 || file[at - 1] === '\n')) entry.continues = true
    } else if (lineBreak !== undefined) {
      line++
      if (depth > 0) continue
      if (entry.fields.length > 0) yield entry
      entry = newEntry(line)
    } else if (remark !== undefined) entry.remark = remark.trim()
    else if (parenthesis !== undefined) {
      depth += parenthesis === '(' ? 1 : -1
      if (depth < 0) throw new ZoneFileError(line, 'a parenthesis is not open')
    } else {
      if (entry.fields.length === 0) entry.line = line
      else if (entry.fields.length === dnsLimits.entryFieldsMax)
        throw new ZoneFileError(entry.line, `an entry has more than ${dnsLimits.entryFieldsMax} fields`)
      entry.fields.push({ text: unescaped(quoted ?? word!), quoted: quoted !== undefined })
      line += all.split('\n').length - 1
    }
  }
  if (depth > 0) throw new ZoneFileError(line, 'a parenthesis is not closed')
  if (entry.fields.length > 0) yield entry
}

interface OpenEntry extends FileEntry {
  line: number
  continues: boolean
  readonly fields: FileField[]
  remark: string
}

function newEntry(line: number): OpenEntry {
  return { line, continues: false, fields: [], remark: '' }
}

/** `\DDD` is a byte by its decimal number, `\X` the character itself. */
function unescaped(text: string): string {
  return text.replace(/\\(\d{3}|[\s\S])/g, (_, escaped: string) =>
    escaped.length === 3 ? String.fromCharCode(Number(escaped)) : escaped,
  )
}
