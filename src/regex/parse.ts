import { regexLimits } from '../kit/limits.ts'
import type { Node, Pattern } from './ast.ts'
import { anyByte, ByteSet, lineFeed } from './byte-set.ts'
import { type Dialect, dialects } from './dialect.ts'
import { readEscape } from './escape.ts'
import type { RegexError, RegexOptions } from './matcher.ts'
import { parseClass } from './parse-class.ts'
import { PatternFault, PatternReader } from './pattern-reader.ts'

interface Flags {
  readonly i: boolean
  readonly m: boolean
  readonly s: boolean
  readonly x: boolean
  readonly U: boolean
}

type ParseOutcome =
  | { readonly ok: true; readonly pattern: Pattern }
  | { readonly ok: false; readonly error: RegexError }

/** Pattern text → tree. O(length); depth is bounded by `regexLimits.nestingMax`. */
export function parsePattern(source: string, options: RegexOptions): ParseOutcome {
  if (source.length > regexLimits.patternBytesMax) {
    const message = `the pattern has ${source.length} bytes, the limit is ${regexLimits.patternBytesMax}`
    return { ok: false, error: { code: 'too-large', message, offset: 0, length: source.length } }
  }
  try {
    const parser = new Parser(source, dialects[options.dialect], options.caseInsensitive === true)
    return { ok: true, pattern: parser.parse() }
  } catch (fault) {
    if (fault instanceof PatternFault) return { ok: false, error: fault.error }
    throw fault
  }
}

class Parser {
  readonly #in: PatternReader
  readonly #dialect: Dialect
  readonly #names = new Map<string, number>()
  #flags: Flags
  #groups = 0
  #depth = 0

  constructor(source: string, dialect: Dialect, caseInsensitive: boolean) {
    this.#in = new PatternReader(source)
    this.#dialect = dialect
    this.#flags = { i: caseInsensitive, m: false, s: dialect.dotAll, x: false, U: false }
  }

  parse(): Pattern {
    const root = this.#alternatives()
    if (!this.#in.atEnd()) throw this.#in.fault('syntax', 'unmatched )')
    return { root, groups: this.#groups }
  }

  #alternatives(): Node {
    const flags = this.#flags
    if (++this.#depth > regexLimits.nestingMax)
      throw this.#in.fault('too-large', `groups are nested deeper than ${regexLimits.nestingMax}`)
    const items = [this.#concat()]
    while (this.#in.take('|')) items.push(this.#concat())
    this.#depth--
    this.#flags = flags
    return items.length === 1 ? items[0]! : { kind: 'alternatives', items }
  }

  #concat(): Node {
    const items: Node[] = []
    for (;;) {
      this.#skipExtended()
      const next = this.#in.peek()
      if (next === '' || next === '|' || next === ')') break
      const start = this.#in.offset
      const atom = this.#atom()
      if (atom === undefined) continue
      items.push(...(Array.isArray(atom) ? atom : [this.#quantified(atom, start)]))
    }
    return items.length === 1 ? items[0]! : items.length === 0 ? { kind: 'empty' } : { kind: 'concat', items }
  }

  /** One atom; an array for a quoted run, where no quantifier is looked for; undefined for flags and comments. */
  #atom(): Node | Node[] | undefined {
    const start = this.#in.offset
    const char = this.#in.next()
    switch (char) {
      case '(':
        return this.#group(start)
      case '[':
        return this.#set(parseClass(this.#in, this.#dialect, this.#flags.i))
      case '.':
        return this.#set(this.#flags.s ? anyByte : lineFeed.complement())
      case '^':
        return { kind: 'assertion', what: this.#flags.m ? 'line-start' : 'text-start' }
      case '$':
        return { kind: 'assertion', what: this.#flags.m ? 'line-end' : 'text-end' }
      case '\\':
        return this.#escape(start)
      case '*':
      case '+':
      case '?':
        throw this.#in.faultAt(start, 1, 'syntax', 'there is nothing to repeat')
      case '{':
        if (!this.#dialect.lenient)
          throw this.#in.faultAt(start, 1, 'syntax', 'a repetition has nothing before it')
        return this.#byte(0x7b)
      default:
        return this.#byte(char.charCodeAt(0))
    }
  }

  #byte(byte: number): Node {
    return { kind: 'set', set: this.#flags.i ? foldedByte(byte) : singleByte(byte) }
  }

  #set(set: ByteSet): Node {
    return { kind: 'set', set: this.#flags.i ? set.folded() : set }
  }

  #escape(start: number): Node | Node[] {
    if (this.#dialect.irregular && this.#in.take('Q')) return this.#quotedRun()
    const read = readEscape(this.#in, this.#dialect, start, false)
    switch (read.kind) {
      case 'set':
        return this.#set(read.set)
      case 'bytes':
        return read.bytes.length === 1
          ? this.#byte(read.bytes[0]!)
          : { kind: 'concat', items: read.bytes.map(byte => this.#byte(byte)) }
      case 'assertion':
        return { kind: 'assertion', what: read.what }
      case 'backreference':
        return this.#backreference(read.name, start)
    }
  }

  #backreference(name: string, start: number): Node {
    const index = /^\d+$/.test(name) ? Number(name) : this.#names.get(name)
    if (index === undefined || index > regexLimits.groupsMax)
      throw this.#in.faultAt(
        start,
        this.#in.offset - start,
        'syntax',
        'reference to a group that does not exist',
      )
    return { kind: 'backreference', index, caseInsensitive: this.#flags.i }
  }

  #quotedRun(): Node[] {
    const text = this.#in.until('\\E')
    return [...text].map(char => this.#byte(char.charCodeAt(0)))
  }

  #group(start: number): Node | undefined {
    if (!this.#in.take('?')) return this.#capture(start)
    if (this.#in.take('#')) {
      if (!this.#dialect.irregular) throw this.#in.faultAt(start, 3, 'syntax', 'comment groups do not exist')
      this.#in.until(')')
      return undefined
    }
    if (this.#in.take(':')) return this.#closed(this.#alternatives(), start)
    const look = this.#look(start)
    if (look !== undefined) return look
    const name = this.#groupName(start)
    if (name !== undefined) {
      this.#names.set(name, this.#groups + 1)
      return this.#capture(start)
    }
    return this.#flagGroup(start)
  }

  #capture(start: number): Node {
    const index = ++this.#groups
    if (index > regexLimits.groupsMax)
      throw this.#in.faultAt(start, 1, 'too-large', `more than ${regexLimits.groupsMax} groups`)
    return this.#closed({ kind: 'group', item: this.#alternatives(), index }, start)
  }

  #look(start: number): Node | undefined {
    const kinds = [
      ['=', false, false],
      ['!', false, true],
      ['<=', true, false],
      ['<!', true, true],
    ] as const
    for (const [mark, behind, negative] of kinds) {
      if (!this.#in.take(mark)) continue
      this.#requireIrregular(start, 'look-around')
      return this.#closed({ kind: 'look', behind, negative, item: this.#alternatives() }, start)
    }
    if (!this.#in.take('>')) return undefined
    this.#requireIrregular(start, 'an atomic group')
    return this.#closed({ kind: 'atomic', item: this.#alternatives() }, start)
  }

  #requireIrregular(start: number, what: string): void {
    if (!this.#dialect.irregular)
      throw this.#in.faultAt(start, this.#in.offset - start, 'unsupported', `${what} is not supported`)
  }

  #groupName(start: number): string | undefined {
    const marks = [
      ['P<', '>'],
      ['<', '>'],
      ["'", "'"],
    ] as const
    for (const [open, close] of marks) {
      if ((open === "'" && !this.#dialect.irregular) || !this.#in.take(open)) continue
      const name = this.#in.until(close)
      if (!/^[A-Za-z_]\w{0,31}$/.test(name) || this.#names.has(name))
        throw this.#in.faultAt(
          start,
          this.#in.offset - start,
          'syntax',
          'a group name is letters, digits and _, and unique',
        )
      return name
    }
    return undefined
  }

  /** `(?i)` for the rest of the enclosing group, or `(?i:…)`. */
  #flagGroup(start: number): Node | undefined {
    const before = this.#flags
    let value = true
    let flags = before
    for (;;) {
      const char = this.#in.next()
      if (char === ')' || char === ':') {
        this.#flags = flags
        if (char === ')') return undefined
        const item = this.#closed(this.#alternatives(), start)
        this.#flags = before
        return item
      }
      if (char === '-' && value) value = false
      else if (char !== '' && this.#dialect.flags.includes(char)) flags = { ...flags, [char]: value }
      else
        throw this.#in.faultAt(
          start,
          Math.max(1, this.#in.offset - start),
          char === 'u' ? 'unsupported' : 'syntax',
          char === 'u' ? 'Unicode mode is not supported' : 'unknown group or flag',
        )
    }
  }

  #closed(item: Node, start: number): Node {
    if (!this.#in.take(')')) throw this.#in.faultAt(start, 1, 'syntax', 'this ( is never closed')
    return item
  }

  #quantified(atom: Node, start: number): Node {
    let item = atom
    for (;;) {
      this.#skipExtended()
      const bounds = this.#bounds()
      if (bounds === undefined) return item
      if (bounds.min > bounds.max)
        throw this.#in.faultAt(
          start,
          this.#in.offset - start,
          'syntax',
          'the bounds of a repetition are reversed',
        )
      const lazy = this.#in.take('?')
      const possessive = !lazy && this.#dialect.irregular && this.#in.take('+')
      const mode = possessive ? 'possessive' : lazy !== this.#flags.U ? 'lazy' : 'greedy'
      if (item.kind === 'assertion' || item.kind === 'look')
        item = bounds.min === 0 ? { kind: 'empty' } : item
      else item = { kind: 'repeat', item, ...bounds, mode }
    }
  }

  #bounds(): { min: number; max: number } | undefined {
    if (this.#in.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY }
    if (this.#in.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY }
    if (this.#in.take('?')) return { min: 0, max: 1 }
    if (this.#in.peek() !== '{') return undefined
    const match = /^\{(\d{1,6})(?:(,)(\d{0,6}))?\}/.exec(this.#in.rest(20))
    if (match === null) {
      if (this.#dialect.lenient) return undefined
      throw this.#in.fault('syntax', 'a repetition is {n}, {n,} or {n,m}')
    }
    this.#in.skip(match[0].length)
    const min = Number(match[1])
    const max = match[2] === undefined ? min : match[3] === '' ? Number.POSITIVE_INFINITY : Number(match[3])
    if (min > regexLimits.repeatMax || (max !== Number.POSITIVE_INFINITY && max > regexLimits.repeatMax))
      throw this.#in.fault('too-large', `a repetition of more than ${regexLimits.repeatMax}`)
    return { min, max }
  }

  #skipExtended(): void {
    if (!this.#flags.x) return
    for (;;) {
      const char = this.#in.peek()
      if (char !== '' && ' \t\n\r\f\v'.includes(char)) this.#in.skip(1)
      else if (char === '#') this.#in.until('\n')
      else return
    }
  }
}

/** Sets of one byte, and of both cases of a letter, are shared: most of a pattern is plain text. */
const singles: (ByteSet | undefined)[] = []
const foldedSingles: (ByteSet | undefined)[] = []

function singleByte(byte: number): ByteSet {
  singles[byte] ??= ByteSet.of([byte])
  return singles[byte]
}

function foldedByte(byte: number): ByteSet {
  foldedSingles[byte] ??= singleByte(byte).folded()
  return foldedSingles[byte]
}
