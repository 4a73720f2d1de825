import type { ClickHouseClient } from '@clickhouse/client'
import { analyticsLimits } from '../../limits.ts'
import { RecordStoreError } from '../port.ts'

/** Where a ClickHouse server is reached, and who the client is. */
export interface ClickHouseServer {
  /** `http(s)://[user[:password]@]host[:port][/database]`; the database is `sluice` when the path is empty. */
  readonly url: string
  /** Instead of one in the URL. */
  readonly password?: string
  /** Certificates, PEM, that the server's chain may end in, instead of the system's. */
  readonly ca?: Buffer
}

/**
 * A client whose statements use the server's database, which is created if it is absent. The official client is loaded on
 * use, so that a process without ClickHouse takes no memory for it.
 * @throws RecordStoreError
 */
export async function connect(server: ClickHouseServer): Promise<ClickHouseClient> {
  const database = databaseOf(server.url)
  const start = await clientOf(server, 'default')
  try {
    const query_params = { name: database }
    const found = await rowsOf(
      start,
      'select name from system.databases where name = {name:String}',
      query_params,
    )
    if (found.length === 0)
      await asked(start.command({ query: 'create database if not exists {name:Identifier}', query_params }))
  } finally {
    await start.close()
  }
  return clientOf(server, database)
}

export function databaseOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1)) || 'sluice'
}

/** A client of a database that exists. */
export async function clientOf(
  { url, password, ca }: ClickHouseServer,
  database: string,
): Promise<ClickHouseClient> {
  const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client')
  const { origin, username, password: written } = new URL(url)
  return createClient({
    url: origin,
    username: decodeURIComponent(username) || 'default',
    password: password ?? decodeURIComponent(written),
    database,
    application: 'sluice',
    // The caller reports the failure.
    log: { level: ClickHouseLogLevel.OFF },
    request_timeout: analyticsLimits.serverAnswerMsMax,
    max_open_connections: analyticsLimits.serverConnections,
    ...(ca === undefined ? {} : { tls: { ca_cert: ca } }),
    // Whole numbers of records are exact in JavaScript: ids have 53 bits.
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  })
}

/** Code of the server's TIMEOUT_EXCEEDED. */
const tooSlow = '159'

/** The server's answer; its refusals and failures as errors of the store. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code === tooSlow) {
      const message = 'the answer of ClickHouse took too long: ask for a shorter time'
      throw new RecordStoreError('slow', message, { cause })
    }
    throw new RecordStoreError('failed', `ClickHouse: ${wordsOf(cause)}`, { cause })
  }
}

/** Failures to connect to several addresses have no message. */
function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || (cause as NodeJS.ErrnoException).code || cause.name
}

/** Rows that a statement answers. */
export async function rowsOf<Row>(
  client: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown> = {},
): Promise<Row[]> {
  const answer = client.query({ query, query_params, format: 'JSONEachRow' })
  return asked(answer.then(rows => rows.json<Row>()))
}
