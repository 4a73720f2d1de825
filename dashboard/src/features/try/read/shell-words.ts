import { bytesOf } from './bytes.ts'
import { CannotRead } from './read.ts'

/**
 * The words of a command as a POSIX shell (and bash, for `$'…'`) would pass them: without quotes and escapes, and with
 * variables unexpanded. Ignores everything after the command (a pipe, another command, a comment).
 * @returns byte strings
 * @throws CannotRead for an unclosed quote
 */
export function shellWords(command: string, notes: string[]): string[] {
  return new Words(command, notes).read()
}

class Words {
  readonly #text: string
  readonly #notes: string[]
  readonly #words: string[] = []
  /** The current word; undefined between words. */
  #word: string | undefined
  #at = 0

  constructor(text: string, notes: string[]) {
    this.#text = text
    this.#notes = notes
  }

  read(): string[] {
    while (this.#at < this.#text.length && this.#step());
    this.#endWord()
    return this.#words
  }

  /** @returns false at the end of the command */
  #step(): boolean {
    const char = this.#text[this.#at]!
    switch (char) {
      case ' ':
      case '\t':
      case '\r':
        this.#endWord()
        this.#at++
        return true
      case '\n':
        this.#endWord()
        this.#at++
        // Skips empty lines before the command.
        return this.#words.length === 0 || this.#rest('the next line')
      case "'":
        return this.#single()
      case '"':
        return this.#double()
      case '\\':
        return this.#escaped()
      case '$':
        return this.#dollar()
      case '#':
        return this.#word !== undefined ? this.#plain() : this.#skipLine()
      case '|':
      case ';':
      case '<':
      case '>':
        return this.#rest(`“${char}”`)
      case '&':
        return this.#ampersand()
      case '`':
        this.#noteSubstitution()
        return this.#plain()
      default:
        return this.#plain()
    }
  }

  #plain(): true {
    const char = String.fromCodePoint(this.#text.codePointAt(this.#at)!)
    this.#add(bytesOf(char))
    this.#at += char.length
    return true
  }

  #single(): true {
    const end = this.#text.indexOf("'", this.#at + 1)
    if (end < 0) throw new CannotRead("A single quote (') is not closed.")
    this.#add(bytesOf(this.#text.slice(this.#at + 1, end)))
    this.#at = end + 1
    return true
  }

  #double(): true {
    let from = ++this.#at
    const flush = () => this.#add(bytesOf(this.#text.slice(from, this.#at)))
    this.#add('')
    for (; ; this.#at++) {
      const char = this.#text[this.#at]
      if (char === undefined) throw new CannotRead('A double quote (") is not closed.')
      if (char === '"') break
      if (char === '`' || (char === '$' && /^\$[A-Za-z_{(]/.test(this.#text.slice(this.#at, this.#at + 2))))
        this.#noteSubstitution()
      if (char !== '\\') continue
      const next = this.#text[this.#at + 1]
      if (next === undefined || !'$`"\\\n'.includes(next)) {
        this.#at++
        continue
      }
      flush()
      // A line continuation.
      from = next === '\n' ? this.#at + 2 : this.#at + 1
      this.#at++
    }
    flush()
    this.#at++
    return true
  }

  #escaped(): true {
    const rest = this.#text.slice(this.#at + 1, this.#at + 3)
    if (rest.startsWith('\n') || rest === '\r\n') {
      this.#at += rest.startsWith('\n') ? 2 : 3
      return true
    }
    this.#at++
    return this.#at < this.#text.length ? this.#plain() : true
  }

  #dollar(): true {
    const next = this.#text[this.#at + 1]
    if (next === "'") {
      this.#at += 2
      return this.#ansi()
    }
    // $"…" is a translatable string.
    if (next === '"') {
      this.#at++
      return this.#double()
    }
    if (next !== undefined && /[A-Za-z_{(]/.test(next)) this.#noteSubstitution()
    return this.#plain()
  }

  /** `$'…'` of bash. */
  #ansi(): true {
    this.#add('')
    for (;;) {
      const char = this.#text[this.#at]
      if (char === undefined) throw new CannotRead("A $' quote is not closed.")
      if (char === "'") break
      if (char === '\\') this.#add(this.#ansiEscape())
      else this.#plain()
    }
    this.#at++
    return true
  }

  #ansiEscape(): string {
    const match = ansiEscape.exec(this.#text.slice(this.#at, this.#at + 10))
    if (match === null) {
      // Any other backslash is literal.
      this.#at++
      return '\\'
    }
    this.#at += match[0].length
    const { named, octal, hex, unicode, long, control } = match.groups ?? {}
    if (named !== undefined) return ansiNames[named] ?? named
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    if (control !== undefined) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f)
    const code = Number.parseInt(unicode ?? long ?? '', 16)
    return code <= 0x10ffff ? bytesOf(String.fromCodePoint(code)) : '\\'
  }

  #ampersand(): boolean {
    const isBetween = this.#word !== undefined && /[^\s&]/.test(this.#text[this.#at + 1] ?? '')
    if (!isBetween) return this.#rest('“&”')
    // Without quotes around the URL, one command is meant, not two.
    this.#notes.push('A shell would end the command at “&”: put the URL in quotes. Here, all of it was read.')
    return this.#plain()
  }

  #skipLine(): true {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end
    return true
  }

  #rest(from: string): false {
    if (/[^|;&<>\s]/.test(this.#text.slice(this.#at))) this.#notes.push(`Ignored everything from ${from} on.`)
    return false
  }

  #noteSubstitution(): void {
    this.#notes.push('Shell variables such as $NAME are not expanded.')
  }

  #add(bytes: string): void {
    this.#word = (this.#word ?? '') + bytes
  }

  #endWord(): void {
    if (this.#word !== undefined) this.#words.push(this.#word)
    this.#word = undefined
  }
}

const ansiEscape =
  /^\\(?:(?<named>[abeEfnrtv\\'"?])|(?<octal>[0-7]{1,3})|x(?<hex>[0-9A-Fa-f]{1,2})|u(?<unicode>[0-9A-Fa-f]{1,4})|U(?<long>[0-9A-Fa-f]{1,8})|c(?<control>.))/

const ansiNames: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
