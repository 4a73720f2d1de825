import type { DeclarationOf } from './declaration.ts'
import { parseUrl } from './values.ts'

export interface ClickHouseSettings {
  /** With the database in its path; undefined: records of analytics are in the embedded DuckDB. */
  readonly clickhouseUrl: string | undefined
  /** A file. */
  readonly clickhousePasswordFile: string | undefined
  /** A file. */
  readonly clickhouseCa: string | undefined
}

const path = (value: string) => (value === '' ? undefined : value)

export const clickhouseSettings: readonly DeclarationOf<keyof ClickHouseSettings>[] = [
  {
    key: 'clickhouseUrl',
    variable: 'SLUICE_CLICKHOUSE_URL',
    help: 'ClickHouse for the records of analytics, instead of the embedded DuckDB. The database is created if it does not exist',
    allowed:
      'http://user:password@host:port/database, or https:// for TLS; the database is sluice by default',
    default: undefined,
    parse: parseClickHouseUrl,
  },
  {
    key: 'clickhousePasswordFile',
    variable: 'SLUICE_CLICKHOUSE_PASSWORD_FILE',
    help: 'file with the password of the ClickHouse user, instead of one in the URL. It is read again when Sluice connects',
    allowed: 'a path',
    default: undefined,
    needs: 'SLUICE_CLICKHOUSE_URL',
    parse: path,
  },
  {
    key: 'clickhouseCa',
    variable: 'SLUICE_CLICKHOUSE_CA',
    help: 'CA certificate of the ClickHouse server, PEM, instead of the public authorities',
    allowed: 'a path',
    default: undefined,
    needs: 'SLUICE_CLICKHOUSE_URL',
    parse: path,
  },
]

function parseClickHouseUrl(value: string): string | undefined {
  if (parseUrl(value, ['http:', 'https:']) === undefined) return undefined
  const { pathname, search, hash } = new URL(value)
  return /^\/\w{0,64}$/.test(pathname) && search === '' && hash === '' ? value : undefined
}
