import { ByteSet, posixClasses } from '../byte-set.ts'
import { regexLimits } from '../limits.ts'
import type { Dialect } from './dialect.ts'
import { readEscape } from './escape.ts'
import type { PatternReader } from './pattern-reader.ts'

interface ClassFlags {
  /** Fold case, before a class is negated. */
  readonly i: boolean
  /** Ignore white space and comments, if the dialect does so within classes. */
  readonly x: boolean
}

/** Reads a class after its `[`. */
export function parseClass(reader: PatternReader, dialect: Dialect, flags: ClassFlags): ByteSet {
  return new ClassParser(reader, dialect, flags).parse(0)
}

class ClassParser {
  readonly #in: PatternReader
  readonly #dialect: Dialect
  readonly #fold: boolean
  readonly #extended: boolean

  constructor(reader: PatternReader, dialect: Dialect, flags: ClassFlags) {
    this.#in = reader
    this.#dialect = dialect
    this.#fold = flags.i
    this.#extended = flags.x && dialect.setOperations
  }

  parse(depth: number): ByteSet {
    const start = this.#in.offset - 1
    if (depth >= regexLimits.nestingMax)
      throw this.#in.faultAt(
        start,
        1,
        'too-large',
        `classes are nested deeper than ${regexLimits.nestingMax}`,
      )
    const negated = this.#in.take('^')
    let set = this.#items(this.#leading(), depth, start)
    for (;;) {
      if (this.#in.take(']')) break
      // Only set operations end a run of items before the bracket.
      const operation = this.#in.rest(2)
      this.#in.skip(2)
      const right = this.#items(new ByteSet(), depth, start)
      if (operation === '&&') set = set.intersection(right)
      else if (operation === '--') set = set.intersection(right.complement())
      else set = set.union(right).intersection(set.intersection(right).complement())
    }
    return negated ? set.complement() : set
  }

  /** A bracket that opens the class does not end it; with set operations hyphens that open it are no operation. */
  #leading(): ByteSet {
    const set = new ByteSet()
    if (!this.#dialect.setOperations) {
      if (this.#in.peek() === ']') this.#addItem(set, 0)
      return set
    }
    this.#skipIgnored()
    let empty = true
    for (; this.#in.take('-'); empty = false) {
      set.addRange(0x2d, 0x2d)
      this.#skipIgnored()
    }
    if (empty && this.#in.take(']')) set.addRange(0x5d, 0x5d)
    return set
  }

  #items(set: ByteSet, depth: number, start: number): ByteSet {
    for (;;) {
      this.#skipIgnored()
      if (this.#in.atEnd()) throw this.#in.faultAt(start, 1, 'syntax', 'this [ is never closed')
      if (this.#in.peek() === ']') break
      if (this.#dialect.setOperations && ['&&', '--', '~~'].includes(this.#in.rest(2))) break
      this.#addItem(set, depth)
    }
    return this.#fold ? set.folded() : set
  }

  /** Adds a byte, a range, an escape, `[:name:]` or a class within the class. */
  #addItem(set: ByteSet, depth: number): void {
    const start = this.#in.offset
    if (this.#in.peek() === '[') {
      const posix = this.#posix()
      if (posix !== undefined) {
        set.addAll(posix)
        return
      }
      if (this.#dialect.setOperations) {
        this.#in.skip(1)
        set.addAll(this.parse(depth + 1))
        return
      }
    }
    const low = this.#byte()
    this.#skipIgnored()
    if (!this.#atRange()) this.#add(set, low)
    else if (typeof low !== 'number') {
      if (this.#dialect.setOperations) throw this.#badRange(start)
      set.addAll(low)
    } else this.#addRange(set, low, start)
  }

  #add(set: ByteSet, item: number | ByteSet): void {
    if (typeof item === 'number') set.addRange(item, item)
    else set.addAll(item)
  }

  #addRange(set: ByteSet, low: number, start: number): void {
    this.#in.skip(1)
    this.#skipIgnored()
    const high = this.#byte()
    if (typeof high !== 'number') {
      if (this.#dialect.setOperations) throw this.#badRange(start)
      set.addRange(low, low)
      set.addRange(0x2d, 0x2d)
      set.addAll(high)
      return
    }
    if (high < low)
      throw this.#in.faultAt(start, this.#in.offset - start, 'syntax', 'the ends of a range are reversed')
    set.addRange(low, high)
  }

  /** Whether the next byte is a hyphen between two ends. */
  #atRange(): boolean {
    if (this.#in.peek() !== '-') return false
    const two = this.#in.rest(2)
    return two !== '-]' && two !== '-' && !(this.#dialect.setOperations && two === '--')
  }

  #badRange(start: number): Error {
    return this.#in.faultAt(start, this.#in.offset - start, 'syntax', 'the ends of a range are single bytes')
  }

  #posix(): ByteSet | undefined {
    const name = /^\[:(\^?)(\w+):\]/.exec(this.#in.rest(16))
    if (name === null) return undefined
    const set = posixClasses.get(name[2]!)
    if (set === undefined) {
      // In Rust's dialect any other name is a nested class of its letters.
      if (this.#dialect.setOperations) return undefined
      throw this.#in.faultAt(this.#in.offset, name[0].length, 'syntax', 'unknown class name')
    }
    this.#in.skip(name[0].length)
    return name[1] === '^' ? set.complement() : set
  }

  #byte(): number | ByteSet {
    const start = this.#in.offset
    const char = this.#in.next()
    if (char === '') throw this.#in.faultAt(start, 1, 'syntax', 'the class ends within a range')
    if (char !== '\\') {
      if (this.#dialect.utf8 && char > '\x7f') throw this.#beyondAscii(start, 1)
      return char.charCodeAt(0)
    }
    const read = readEscape(this.#in, this.#dialect, { start, inClass: true, groups: 0 })
    if (read.kind === 'set') return read.set
    if (read.kind === 'bytes') {
      if (read.bytes.length === 1) return read.bytes[0]!
      throw this.#beyondAscii(start, this.#in.offset - start)
    }
    throw this.#in.faultAt(start, this.#in.offset - start, 'syntax', 'this escape has no meaning in a class')
  }

  #beyondAscii(start: number, length: number): Error {
    const message = 'a character beyond ASCII in a class needs Unicode mode'
    return this.#in.faultAt(start, length, 'unsupported', message)
  }

  #skipIgnored(): void {
    if (this.#extended) this.#in.skipBlanksAndComments()
  }
}
