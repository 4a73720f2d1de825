import { anyByte, lineFeed } from '../byte-set.ts'
import { regexLimits } from '../limits.ts'
import type { RegexError, RegexOptions } from '../matcher.ts'
import type { Node, Pattern } from './ast.ts'
import { type Dialect, dialects } from './dialect.ts'
import { missingGroup, readEscape } from './escape.ts'
import { type Flags, readFlags } from './flags.ts'
import { canBeEmpty, fixedLength } from './measure.ts'
import { foldedByte, singleByte, wholeRun } from './nodes.ts'
import { parseClass } from './parse-class.ts'
import { PatternFault, PatternReader } from './pattern-reader.ts'
import { takeCharacter } from './unicode/characters.ts'
import { allCharacters, codeRange, complementOf } from './unicode/code-set.ts'
import { readUnicodeEscape } from './unicode/escapes.ts'
import { caseVariants, foldedCodes } from './unicode/folding.ts'
import { parseUnicodeClass } from './unicode/parse-class.ts'
import { utf8Node } from './unicode/utf8-node.ts'

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
  /** Repeated quantifiers on one item, in the whole pattern: they nest as groups do. */
  #stacked = 0
  #irregular = false
  #lastLineFeed = false
  readonly #classes: { readonly text: string; readonly flags: Flags; readonly node: Node }[] = []
  /** The back-reference to the highest group. */
  #highest: { readonly index: number; readonly start: number; readonly length: number } | undefined

  constructor(source: string, dialect: Dialect, caseInsensitive: boolean) {
    this.#in = new PatternReader(source)
    this.#dialect = dialect
    this.#flags = { i: caseInsensitive, m: false, s: dialect.dotAll, x: false, U: false, u: false }
  }

  parse(): Pattern {
    const root = this.#alternatives()
    if (!this.#in.atEnd()) throw this.#in.fault('syntax', 'unmatched )')
    if (this.#highest !== undefined && this.#highest.index > this.#groups)
      throw missingGroup(this.#in, this.#highest.start, this.#highest.length)
    return {
      root,
      groups: this.#groups,
      irregular: this.#irregular,
      backreferences: this.#highest !== undefined,
      lastLineFeed: this.#lastLineFeed,
    }
  }

  /** Flags that change inside a group hold up to its end, across alternatives. */
  #alternatives(): Node {
    const flags = this.#flags
    if (this.#depth++ > regexLimits.nestingMax)
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
      this.#skipIgnored()
      const next = this.#in.peek()
      if (next === '' || next === '|' || next === ')') break
      const start = this.#in.offset
      const atom = this.#in.rest(2) === '\\Q' && this.#dialect.perl ? this.#quoted(items) : this.#atom()
      if (atom === undefined) continue
      const item = this.#quantified(atom, start)
      if (item.kind !== 'empty') items.push(item)
    }
    return items.length === 1 ? items[0]! : items.length === 0 ? { kind: 'empty' } : { kind: 'concat', items }
  }

  /** One atom; undefined for flags and for a lone `\E`. */
  #atom(): Node | undefined {
    const start = this.#in.offset
    const char = this.#in.next()
    switch (char) {
      case '(':
        return this.#group(start)
      case '[':
        return this.#class(start)
      case '.':
        if (this.#flags.u) return utf8Node(this.#flags.s ? allCharacters : notLineFeedCharacter)
        return { kind: 'set', set: this.#flags.s ? anyByte : notLineFeed }
      case '^':
        return { kind: 'assertion', assertion: this.#flags.m ? this.#dialect.lineStart : 'text-start' }
      case '$':
        return { kind: 'assertion', assertion: this.#flags.m ? 'line-end' : 'text-end' }
      case '\\':
        return this.#escape(start)
      case '*':
      case '+':
      case '?':
        throw this.#in.faultAt(start, 1, 'syntax', 'there is nothing to repeat')
      case '{':
        return this.#brace(start)
      default:
        if (this.#flags.u) return this.#codeAt(start)
        return char > '\x7f' && this.#dialect.utf8 ? this.#character(start) : this.#byte(char.charCodeAt(0))
    }
  }

  /** A class that was read before, under the same flags, is the same: large patterns repeat a few of them often. */
  #class(start: number): Node {
    const flags = this.#flags
    const known = this.#classes.find(other => other.flags === flags && this.#in.startsWith(other.text, start))
    if (known !== undefined) {
      this.#in.offset = start + known.text.length
      return known.node
    }
    const node: Node = flags.u
      ? utf8Node(parseUnicodeClass(this.#in, this.#dialect, flags))
      : { kind: 'set', set: parseClass(this.#in, this.#dialect, flags) }
    if (this.#classes.length < classesKept) this.#classes.push({ text: this.#in.since(start), flags, node })
    return node
  }

  #brace(start: number): Node {
    this.#in.offset = start
    if (this.#bounds() !== undefined)
      throw this.#in.faultAt(start, this.#in.offset - start, 'syntax', 'there is nothing to repeat')
    this.#in.skip(1)
    return this.#byte(0x7b)
  }

  /** A character of several bytes is one atom; an incomplete one is a byte. */
  #character(start: number): Node {
    this.#in.offset = start
    const bytes = utf8Character.exec(this.#in.rest(4))?.[0] ?? this.#in.rest(1)
    this.#in.skip(bytes.length)
    return this.#bytes(Array.from(bytes, byte => byte.charCodeAt(0)))
  }

  #bytes(bytes: readonly number[]): Node {
    if (bytes.length === 1) return this.#byte(bytes[0]!)
    return { kind: 'concat', items: bytes.map(byte => this.#byte(byte)) }
  }

  #byte(byte: number): Node {
    return this.#flags.i ? foldedByte(byte) : singleByte(byte)
  }

  #codeAt(start: number): Node {
    this.#in.offset = start
    return this.#code(takeCharacter(this.#in))
  }

  #code(code: number): Node {
    return utf8Node(this.#flags.i ? caseVariants(code) : codeRange(code, code))
  }

  #unicodeEscape(start: number): Node {
    const read = readUnicodeEscape(this.#in, this.#dialect, start, false)
    if (read.kind === 'code') return this.#code(read.code)
    if (read.kind === 'codes') return utf8Node(this.#flags.i ? foldedCodes(read.set) : read.set)
    return { kind: 'assertion', assertion: read.assertion }
  }

  #escape(start: number): Node | undefined {
    if (this.#flags.u) return this.#unicodeEscape(start)
    if (this.#dialect.perl && this.#in.take('E')) return undefined
    const read = readEscape(this.#in, this.#dialect, { start, inClass: false, groups: this.#groups })
    switch (read.kind) {
      case 'set':
        return { kind: 'set', set: this.#flags.i ? read.set.folded() : read.set }
      case 'bytes':
        return this.#bytes(read.bytes)
      case 'assertion':
        this.#lastLineFeed ||= read.assertion === 'text-end-or-last-line-feed'
        return { kind: 'assertion', assertion: read.assertion }
      case 'backreference':
        return this.#backreference(read.name, start)
    }
  }

  #backreference(name: string, start: number): Node {
    const index = /^\d+$/.test(name) ? Number(name) : this.#names.get(name)
    const length = this.#in.offset - start
    if (index === undefined || index === 0) throw missingGroup(this.#in, start, length)
    this.#irregular = true
    if (index > (this.#highest?.index ?? 0)) this.#highest = { index, start, length }
    return { kind: 'backreference', index, caseInsensitive: this.#flags.i }
  }

  /** `\Q…\E`: all but the last byte go to `items`; a quantifier may repeat the last. */
  #quoted(items: Node[]): Node | undefined {
    this.#in.skip(2)
    const text = this.#in.until('\\E') ?? this.#in.remainder()
    const nodes = Array.from(text, char => this.#byte(char.charCodeAt(0)))
    const last = nodes.pop()
    items.push(...nodes)
    return last
  }

  #group(start: number): Node | undefined {
    if (!this.#in.take('?')) return this.#capture(start)
    if (this.#in.take(':')) return this.#closed(this.#alternatives(), start)
    const look = this.#look(start)
    if (look !== undefined) return look
    const name = this.#groupName(start)
    if (name !== undefined) {
      this.#names.set(name, this.#groups + 1)
      return this.#capture(start)
    }
    const before = this.#flags
    const { flags, end } = readFlags(this.#in, this.#dialect, before, start)
    this.#flags = flags
    if (end === ')') return undefined
    const item = this.#closed(this.#alternatives(), start)
    this.#flags = before
    return item
  }

  #capture(start: number): Node {
    const index = ++this.#groups
    if (index > regexLimits.groupsMax)
      throw this.#in.faultAt(start, 1, 'too-large', `more than ${regexLimits.groupsMax} groups`)
    return this.#closed({ kind: 'group', item: this.#alternatives(), index }, start)
  }

  #look(start: number): Node | undefined {
    for (const { mark, behind, negative } of lookMarks) {
      if (!this.#in.take(mark)) continue
      this.#requirePerl(start, 'look-around')
      const item = this.#closed(this.#alternatives(), start)
      if (!behind && item.kind === 'set') return { kind: 'next', set: item.set, negative }
      this.#irregular = true
      if (!behind) return { kind: 'look', negative, branches: [{ item, back: 0 }] }
      const items = item.kind === 'alternatives' ? item.items : [item]
      return { kind: 'look', negative, branches: items.map(branch => this.#behind(branch, start)) }
    }
    if (!this.#in.take('>')) return undefined
    this.#requirePerl(start, 'an atomic group')
    this.#irregular = true
    const item = this.#closed(this.#alternatives(), start)
    return { kind: 'atomic', item }
  }

  #behind(item: Node, start: number): { item: Node; back: number } {
    const back = fixedLength(item)
    if (back !== undefined) return { item, back }
    const length = this.#in.offset - start
    throw this.#in.faultAt(start, length, 'unsupported', 'a look-behind needs a fixed length')
  }

  #requirePerl(start: number, construct: string): void {
    if (!this.#dialect.perl)
      throw this.#in.faultAt(start, this.#in.offset - start, 'unsupported', `${construct} is not supported`)
  }

  #groupName(start: number): string | undefined {
    for (const [open, close] of nameMarks) {
      if ((open === "'" && !this.#dialect.perl) || !this.#in.take(open)) continue
      const name = this.#in.until(close)
      if (name === undefined || !/^[A-Za-z_]\w{0,31}$/.test(name) || this.#names.has(name))
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

  #closed(item: Node, start: number): Node {
    if (!this.#in.take(')')) throw this.#in.faultAt(start, 1, 'syntax', 'this ( is never closed')
    return item
  }

  #quantified(atom: Node, start: number): Node {
    let item = atom
    for (let count = 0; ; count++) {
      this.#skipIgnored()
      const at = this.#in.offset
      const bounds = this.#bounds()
      if (bounds === undefined) return item
      if (bounds.min > bounds.max)
        throw this.#in.faultAt(at, this.#in.offset - at, 'syntax', 'the bounds of a repetition are reversed')
      if (count > 0 && ++this.#stacked > regexLimits.nestingMax)
        throw this.#in.faultAt(
          start,
          1,
          'too-large',
          `more than ${regexLimits.nestingMax} nested quantifiers`,
        )
      item = this.#repeat(item, bounds.min, bounds.max)
    }
  }

  /** Reads the suffix of the bounds: `?` for lazy, `+` for possessive. */
  #repeat(item: Node, min: number, max: number): Node {
    const lazy = this.#in.take('?')
    if (!lazy && this.#dialect.perl) this.#skipIgnored()
    const possessive = !lazy && this.#dialect.perl && this.#in.take('+')
    if (item.kind === 'empty' || max === 0) return { kind: 'empty' }
    // Repeating something that consumes nothing equals one turn of it.
    if (item.kind === 'assertion' || item.kind === 'next' || item.kind === 'look') {
      if (min > 0) return item
      if (item.kind !== 'look') return { kind: 'empty' }
      max = 1
    }
    if (possessive && item.kind === 'set' && max === Number.POSITIVE_INFINITY) return wholeRun(item, min)
    if (possessive) this.#irregular = true
    const mode = possessive ? 'possessive' : lazy !== this.#flags.U ? 'lazy' : 'greedy'
    return min === 1 && max === 1 && !possessive
      ? item
      : { kind: 'repeat', item, min, max, mode, emptyTurns: canBeEmpty(item) }
  }

  #bounds(): { min: number; max: number } | undefined {
    if (this.#in.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY }
    if (this.#in.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY }
    if (this.#in.take('?')) return { min: 0, max: 1 }
    if (this.#in.peek() !== '{') return undefined
    const match = /^\{(\d{1,6})(?:(,)(\d{0,6}))?\}/.exec(this.#in.rest(16))
    if (match === null) {
      if (this.#dialect.lenient) return undefined
      throw this.#in.fault('syntax', 'a repetition is {n}, {n,} or {n,m}')
    }
    const min = Number(match[1])
    const max = match[2] === undefined ? min : match[3] === '' ? Number.POSITIVE_INFINITY : Number(match[3])
    if (min > regexLimits.repeatMax || (max !== Number.POSITIVE_INFINITY && max > regexLimits.repeatMax))
      throw this.#in.faultAt(
        this.#in.offset,
        match[0].length,
        'too-large',
        `a repetition of more than ${regexLimits.repeatMax}`,
      )
    this.#in.skip(match[0].length)
    return { min, max }
  }

  /** Skips meaningless text between items; a quantifier may follow it. */
  #skipIgnored(): void {
    for (;;) {
      if (this.#flags.x) this.#in.skipBlanksAndComments()
      const start = this.#in.offset
      if (!this.#dialect.perl || !this.#in.take('(?#')) return
      if (this.#in.until(')') === undefined)
        throw this.#in.faultAt(start, 3, 'syntax', 'this comment is never closed')
    }
  }
}

/** Classes that are cached for one pattern. */
const classesKept = 16

const notLineFeed = lineFeed.complement()
const notLineFeedCharacter = complementOf(codeRange(0x0a, 0x0a))

const lookMarks = [
  { mark: '=', behind: false, negative: false },
  { mark: '!', behind: false, negative: true },
  { mark: '<=', behind: true, negative: false },
  { mark: '<!', behind: true, negative: true },
]

const nameMarks = [
  ['P<', '>'],
  ['<', '>'],
  ["'", "'"],
] as const

/** A character of two to four bytes at the start of a byte string. */
const utf8Character = /^(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})/
