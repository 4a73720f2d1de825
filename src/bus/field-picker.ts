import type { LogRecord } from '../model/dataset.ts'
import { fieldsStartOf } from './stored-record.ts'

/** A field that is looked for. */
interface Sought {
  readonly name: string
  /** The text before its value. */
  readonly key: string
  /** The character of the key that is rarest in records, and its index. */
  readonly rare: string
  readonly rareAt: number
  /** Distance from the end of the key before, in the last record. */
  distance: number
}

/**
 * Reads some fields of a record without parsing all of it, with the values that parsing gives. Where a value is not
 * certain, nothing is picked. Edges write no white space between members, and no member twice.
 *
 * In a text without a backslash, each quote begins or ends a string. So `"Name":` is a member, never part of a value.
 * Before the second brace, it is a member of the fields themselves.
 */
export class FieldPicker {
  readonly #names: readonly string[]
  /** Field → undefined: all picked records are copies of it, and so have one hidden class. */
  readonly #none: { readonly [field: string]: unknown }
  /** In the order of an earlier record, so that one pass finds all. */
  #sought: readonly Sought[] | undefined
  /** Candidates for a member that may still be tried in the record. */
  #tries = 0

  /** @param names each once */
  constructor(names: readonly string[]) {
    this.#names = names
    this.#none = Object.fromEntries(names.map(name => [name, undefined]))
  }

  /** @returns the fields that the record has; undefined when the record has to be parsed */
  pick(record: string): LogRecord | undefined {
    const start = fieldsStartOf(record)
    if (start < 0 || record.includes('\\', start)) return undefined
    const brace = record.indexOf('{', start + 1)
    const nested = brace < 0 ? record.length : brace
    this.#sought ??= soughtIn(record, start, this.#names)
    const sought = this.#sought
    const picked: { [field: string]: unknown } = { ...this.#none }
    this.#tries = triesBeforeParsing
    let from = start
    for (let index = 0; index < sought.length; index++) {
      const field = sought[index]!
      const at = this.#find(record, field, from, start)
      if (at === tooMany) {
        // They may be rare in another record.
        this.#sought = undefined
        return undefined
      }
      if (at > nested) return undefined
      if (at === absent) continue
      const value = valueAt(record, at + field.key.length)
      if (value === undefined) return undefined
      picked[field.name] = value
      // Another order: the next record is searched in the order of this one.
      if (at < from) this.#sought = undefined
      field.distance = at - from
      from = at
    }
    return picked
  }

  /** Where the key begins, or one of the two constants. */
  #find(record: string, field: Sought, from: number, start: number): number {
    const expected = from + field.distance
    if (record.startsWith(field.key, expected)) return expected
    const later = this.#findBetween(record, field, from, record.length)
    return later === absent && from > start ? this.#findBetween(record, field, start, from) : later
  }

  #findBetween(record: string, { key, rare, rareAt }: Sought, from: number, end: number): number {
    let at = record.indexOf(rare, from + rareAt)
    while (at >= 0 && at < end) {
      if (record.startsWith(key, at - rareAt)) return at - rareAt
      if (--this.#tries < 0) return tooMany
      at = record.indexOf(rare, at + 1)
    }
    return absent
  }
}

const absent = -1
const tooMany = -2
/** A text full of the rare characters is parsed: that takes less time. */
const triesBeforeParsing = 64

/** The fields in the order of a record, absent ones last. */
function soughtIn(record: string, start: number, names: readonly string[]): readonly Sought[] {
  const fields = record.slice(start)
  const positions = names.map(name => {
    const key = Buffer.from(`${JSON.stringify(name)}:`).toString()
    const at = fields.indexOf(key)
    return { name, key, ...rarest(key, fields), at: at < 0 ? fields.length : at }
  })
  let before = 0
  return positions
    .toSorted((a, b) => a.at - b.at)
    .map(({ name, key, rare, rareAt, at }) => {
      const distance = at - before
      before = at
      return { name, key, rare, rareAt, distance }
    })
}

function rarest(key: string, fields: string): Pick<Sought, 'rare' | 'rareAt'> {
  const counts = Array.from(key, character => fields.split(character).length)
  const rareAt = counts.indexOf(Math.min(...counts))
  return { rare: key[rareAt]!, rareAt }
}

const quote = 0x22
const comma = 0x2c
const minus = 0x2d
const zero = 0x30
const nine = 0x39
const closingBrace = 0x7d
/** Whole numbers of so many digits are exact. */
const exactDigits = 15

/** A text, or a whole number of at most 15 digits; undefined for any other value. */
function valueAt(record: string, at: number): string | number | undefined {
  const first = record.charCodeAt(at)
  if (first === quote) {
    const end = record.indexOf('"', at + 1)
    return end < 0 ? undefined : record.slice(at + 1, end)
  }
  const digits = first === minus ? at + 1 : at
  let value = 0
  let end = digits
  let code = record.charCodeAt(end)
  while (code >= zero && code <= nine) {
    value = value * 10 + (code - zero)
    code = record.charCodeAt(++end)
  }
  const isWhole = end > digits && end - digits <= exactDigits && (code === comma || code === closingBrace)
  if (!isWhole) return undefined
  return first === minus ? -value : value
}
