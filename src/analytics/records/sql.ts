/** A value of a query: texts, numbers, whole numbers of 64 bits as bigints, and lists of texts for `in`. */
export type SqlValue = string | number | bigint | boolean | readonly string[]

/**
 * A query, for every engine. Its texts alternate with its values, which the engine passes beside it. It is standard SQL
 * (`count`, `sum`, `min`, `max`, `lower`, `length`, `floor`, `coalesce`, `least`) with functions that have ClickHouse's
 * names; an engine without one of them defines it:
 *
 * - `toUnixTimestamp64Milli(time)`, `toUnixTimestamp64Nano(time)`: ms and ns since the epoch
 * - `fromUnixTimestamp64Milli(ms)`: a time to compare `time` with
 * - `intDiv(a, b)`: the quotient of whole numbers without its fraction
 * - `has(list, value)`: whether a list has a value
 * - `hasPrefix(list, text)`: whether a text of the list begins so
 * - `arrayJoin(list)`: a row for each value of a list, none for an empty one
 * - `countIf(condition)`: rows with the condition
 * - `JSONExtractString(json, name)`: a text of an object
 * - `startsWith(text, part)`, `endsWith(text, part)`
 * - `positionUTF8(text, part)`: 0 when the text does not contain a part that is not empty
 * - `toString(value)`: the value as a text
 * - `translate(text, from, to)`: each character of `from` replaced by the one at its position in `to`; both are ASCII
 * - `matchesRE2(text, pattern)`: whether a part of the text matches
 * - `hostName(text)`: a Host header in lower case, without its port and a final dot
 * - `addressDigits(text)`: an address as 4 or 6 and its bytes in hexadecimal
 */
export interface Sql {
  /** One more than `values`. */
  readonly texts: readonly string[]
  readonly values: readonly SqlValue[]
}

/** A query from a template. Nested queries become a part of it; everything else is a value. */
export function sql(template: TemplateStringsArray, ...parts: readonly (Sql | SqlValue)[]): Sql {
  const texts = [template[0]!]
  const values: SqlValue[] = []
  for (const [at, part] of parts.entries()) {
    const following = template[at + 1]!
    if (isSql(part)) {
      texts.push(`${texts.pop()}${part.texts[0]}`, ...part.texts.slice(1))
      values.push(...part.values)
      texts.push(`${texts.pop()}${following}`)
    } else {
      values.push(part)
      texts.push(following)
    }
  }
  return { texts, values }
}

/** A text of the program, such as a name of a column; never one of a user. */
export function trusted(text: string): Sql {
  return { texts: [text], values: [] }
}

/** One pass, because a search can have thousands of parts. @param separator such as `' and '` */
export function joined(parts: readonly Sql[], separator: string): Sql {
  const texts = ['']
  const values: SqlValue[] = []
  for (const [at, part] of parts.entries()) {
    texts.push(`${texts.pop()}${at === 0 ? '' : separator}${part.texts[0]}`, ...part.texts.slice(1))
    values.push(...part.values)
  }
  return { texts, values }
}

function isSql(part: Sql | SqlValue): part is Sql {
  return typeof part === 'object' && 'texts' in part
}
