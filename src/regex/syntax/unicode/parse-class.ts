import { posixClasses } from '../../byte-set.ts'
import { regexLimits } from '../../limits.ts'
import type { Dialect } from '../dialect.ts'
import type { PatternReader } from '../pattern-reader.ts'
import { takeCharacter } from './characters.ts'
import { type CodeSet, codeRange, complementOf, intersectionOf, noCharacters, unionOf } from './code-set.ts'
import { readUnicodeEscape } from './escapes.ts'
import { foldedCodes } from './folding.ts'

interface ClassFlags {
  readonly i: boolean
  readonly x: boolean
}

/** Reads a class of characters after its `[`, in Rust's dialect. */
export function parseUnicodeClass(reader: PatternReader, dialect: Dialect, flags: ClassFlags): CodeSet {
  return new UnicodeClassParser(reader, dialect, flags).parse(0)
}

class UnicodeClassParser {
  readonly #in: PatternReader
  readonly #dialect: Dialect
  readonly #flags: ClassFlags

  constructor(reader: PatternReader, dialect: Dialect, flags: ClassFlags) {
    this.#in = reader
    this.#dialect = dialect
    this.#flags = flags
  }

  parse(depth: number): CodeSet {
    const start = this.#in.offset - 1
    if (depth >= regexLimits.nestingMax) {
      const message = `classes are nested deeper than ${regexLimits.nestingMax}`
      throw this.#in.faultAt(start, 1, 'too-large', message)
    }
    const negated = this.#in.take('^')
    let set = this.#items(this.#leading(), depth, start)
    while (!this.#in.take(']')) {
      const operation = this.#in.rest(2)
      this.#in.skip(2)
      const right = this.#items([], depth, start)
      if (operation === '&&') set = intersectionOf(set, right)
      else if (operation === '--') set = intersectionOf(set, complementOf(right))
      else set = intersectionOf(unionOf([set, right]), complementOf(intersectionOf(set, right)))
    }
    return negated ? complementOf(set) : set
  }

  /** Hyphens that open a class are themselves, and so is a bracket. */
  #leading(): CodeSet[] {
    const items: CodeSet[] = []
    this.#skipIgnored()
    while (this.#in.take('-')) {
      items.push(codeRange(0x2d, 0x2d))
      this.#skipIgnored()
    }
    if (items.length === 0 && this.#in.take(']')) items.push(codeRange(0x5d, 0x5d))
    return items
  }

  #items(items: CodeSet[], depth: number, start: number): CodeSet {
    for (;;) {
      this.#skipIgnored()
      if (this.#in.atEnd()) throw this.#in.faultAt(start, 1, 'syntax', 'this [ is never closed')
      if (this.#in.peek() === ']' || ['&&', '--', '~~'].includes(this.#in.rest(2))) break
      items.push(this.#item(depth))
    }
    const set = unionOf(items)
    return this.#flags.i ? foldedCodes(set) : set
  }

  /** A character, a range, an escape, `[:name:]` or a class within the class. */
  #item(depth: number): CodeSet {
    const start = this.#in.offset
    if (this.#in.peek() === '[') {
      const posix = this.#posix()
      if (posix !== undefined) return posix
      this.#in.skip(1)
      return this.parse(depth + 1)
    }
    const low = this.#code()
    this.#skipIgnored()
    const isRange = this.#in.peek() === '-' && !['-]', '-', '--'].includes(this.#in.rest(2))
    if (!isRange) return typeof low === 'number' ? codeRange(low, low) : low
    this.#in.skip(1)
    this.#skipIgnored()
    const high = this.#code()
    const length = this.#in.offset - start
    if (typeof low !== 'number' || typeof high !== 'number') {
      throw this.#in.faultAt(start, length, 'syntax', 'the ends of a range are single characters')
    }
    if (high < low) throw this.#in.faultAt(start, length, 'syntax', 'the ends of a range are reversed')
    return codeRange(low, high)
  }

  #code(): number | CodeSet {
    const start = this.#in.offset
    if (this.#in.atEnd()) throw this.#in.faultAt(start, 1, 'syntax', 'the class ends within a range')
    if (!this.#in.take('\\')) return takeCharacter(this.#in)
    const read = readUnicodeEscape(this.#in, this.#dialect, start, true)
    if (read.kind === 'code') return read.code
    if (read.kind === 'codes') return read.set
    throw this.#in.faultAt(start, this.#in.offset - start, 'syntax', 'this escape has no meaning in a class')
  }

  /** Of ASCII in this mode too. Any other name is a nested class of its letters. */
  #posix(): CodeSet | undefined {
    const name = /^\[:(\^?)(\w+):\]/.exec(this.#in.rest(16))
    const bytes = name === null ? undefined : posixClasses.get(name[2]!)
    if (name === null || bytes === undefined) return undefined
    this.#in.skip(name[0].length)
    const codes = Array.from(bytes.members.keys()).filter(byte => bytes.has(byte))
    const set = unionOf([noCharacters, ...codes.map(code => codeRange(code, code))])
    return name[1] === '^' ? complementOf(set) : set
  }

  #skipIgnored(): void {
    if (this.#flags.x) this.#in.skipBlanksAndComments()
  }
}
