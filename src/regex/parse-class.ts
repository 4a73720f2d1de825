import { regexLimits } from '../kit/limits.ts'
import { ByteSet, posixClasses } from './byte-set.ts'
import type { Dialect } from './dialect.ts'
import { readEscape } from './escape.ts'
import type { PatternReader } from './pattern-reader.ts'

/** Reads a class after its `[`. With `fold`, case is folded before the class is negated. */
export function parseClass(reader: PatternReader, dialect: Dialect, fold: boolean, depth = 0): ByteSet {
  const start = reader.offset - 1
  if (depth > regexLimits.nestingMax)
    throw reader.fault('too-large', `classes are nested deeper than ${regexLimits.nestingMax}`)
  const negated = reader.take('^')
  let set = items(reader, dialect, fold, depth, start, true)
  for (;;) {
    if (reader.take(']')) break
    // Only set operations end a run of items before the bracket.
    const operation = reader.rest(2)
    reader.skip(2)
    const right = items(reader, dialect, fold, depth, start, false)
    if (operation === '&&') set = set.intersection(right)
    else if (operation === '--') set = set.intersection(right.complement())
    else set = set.union(right).intersection(set.intersection(right).complement())
  }
  return negated ? set.complement() : set
}

function items(
  reader: PatternReader,
  dialect: Dialect,
  fold: boolean,
  depth: number,
  start: number,
  first: boolean,
): ByteSet {
  let set = ByteSet.of([])
  for (let leading = first; ; leading = false) {
    if (reader.atEnd()) throw reader.faultAt(start, 1, 'syntax', 'this [ is never closed')
    const next = reader.peek()
    if (next === ']' && !leading) break
    if (dialect.setOperations && !leading && ['&&', '--', '~~'].includes(reader.rest(2))) break
    const item = classItem(reader, dialect, fold, depth)
    set = set.union(fold ? item.folded() : item)
  }
  return set
}

/** One byte, a range, an escape, `[:name:]` or a class within the class. */
function classItem(reader: PatternReader, dialect: Dialect, fold: boolean, depth: number): ByteSet {
  const start = reader.offset
  if (reader.peek() === '[') {
    const posix = /^\[:(\^?)(\w+):\]/.exec(reader.rest(16))
    if (posix !== null) {
      const set = posixClasses.get(posix[2]!)
      if (set === undefined) throw reader.faultAt(start, posix[0].length, 'syntax', 'unknown class name')
      reader.skip(posix[0].length)
      return posix[1] === '^' ? set.complement() : set
    }
    if (dialect.setOperations) {
      reader.skip(1)
      return parseClass(reader, dialect, fold, depth + 1)
    }
  }
  const low = classByte(reader, dialect)
  if (typeof low !== 'number') return low
  if (reader.peek() !== '-' || reader.rest(2) === '-]' || (dialect.setOperations && reader.rest(2) === '--'))
    return ByteSet.of([low])
  reader.skip(1)
  const high = classByte(reader, dialect)
  if (typeof high !== 'number') return high.union(ByteSet.of([low, 0x2d]))
  if (high < low)
    throw reader.faultAt(start, reader.offset - start, 'syntax', 'the ends of a range are reversed')
  return ByteSet.range(low, high)
}

function classByte(reader: PatternReader, dialect: Dialect): number | ByteSet {
  const start = reader.offset
  const char = reader.next()
  if (char === '') throw reader.faultAt(start, 1, 'syntax', 'the class ends within a range')
  if (char !== '\\') {
    if (!dialect.lenient && char > '\x7f')
      throw reader.faultAt(start, 1, 'unsupported', 'a character beyond ASCII in a class needs Unicode mode')
    return char.charCodeAt(0)
  }
  const read = readEscape(reader, dialect, start, true)
  if (read.kind === 'set') return read.set
  if (read.kind === 'bytes' && read.bytes.length === 1) return read.bytes[0]!
  throw reader.faultAt(start, reader.offset - start, 'syntax', 'this escape has no meaning in a class')
}
