import type { Sql, SqlValue } from '../sql.ts'

/**
 * The functions of queries (`Sql`) that ClickHouse does not have. A query defines the functions that it uses: a
 * function of the server would be one of all its users.
 */
const functions = {
  hasPrefix: '(list, prefix) -> arrayExists(one -> startsWith(one, prefix), list)',
  matchesRE2: '(text, pattern) -> match(text, pattern)',
  hostName: String.raw`text -> replaceRegexpOne(
    translate(text, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'),
    '^(\\[[^\\]]*\\]|[^:]+?)\\.?(:.*)?$', '\\1')`,
  addressDigits: `text -> if(position(text, ':') > 0, concat('6', lower(hex(toIPv6OrDefault(text)))),
    concat('4', leftPad(lower(hex(toUInt32(toIPv4OrDefault(text)))), 8, '0')))`,
}

/** The query with named parameters of a type. */
export function asClickHouse({ texts, values }: Sql): {
  readonly query: string
  readonly query_params: Record<string, unknown>
} {
  const query = texts.reduce((all, part, at) => `${all}{p${at}:${typeOf(values[at - 1]!)}}${part}`)
  const used = Object.entries(functions).filter(([name]) => query.includes(`${name}(`))
  const defined = used.map(([name, text]) => `${text} as ${name}`).join(', ')
  return {
    query:
      used.length === 0
        ? query
        : query.startsWith('with ')
          ? `with ${defined}, ${query.slice('with '.length)}`
          : `with ${defined} ${query}`,
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
