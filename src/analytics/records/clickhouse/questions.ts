import type { Sql, SqlValue } from '../sql.ts'

/**
 * The function of questions (`Sql`) that ClickHouse does not have. It is a part of each question, because a function of the
 * server would be one of all its users.
 */
const hasPrefix = '(list, prefix) -> arrayExists(one -> startsWith(one, prefix), list) as hasPrefix'

/** The question with named parameters of a type. */
export function asClickHouse({ texts, values }: Sql): {
  readonly query: string
  readonly query_params: Record<string, unknown>
} {
  const query = texts.reduce((all, part, at) => `${all}{p${at}:${typeOf(values[at - 1]!)}}${part}`)
  return {
    query: query.startsWith('with ')
      ? query.replace('with', `with ${hasPrefix},`)
      : `with ${hasPrefix} ${query}`,
    query_params: Object.fromEntries(values.map((value, at) => [`p${at + 1}`, wellFormed(value)])),
  }
}

function typeOf(value: SqlValue): string {
  switch (typeof value) {
    case 'number':
      return Number.isSafeInteger(value) ? 'Int64' : 'Float64'
    case 'bigint':
      return 'Int64'
    case 'boolean':
      return 'Bool'
    case 'string':
      return 'String'
    default:
      return 'Array(String)'
  }
}

function wellFormed(value: SqlValue): SqlValue {
  if (typeof value === 'string') return value.toWellFormed()
  return typeof value === 'object' ? value.map(text => text.toWellFormed()) : value
}
