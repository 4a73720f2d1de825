import type { ClickHouseClient } from '@clickhouse/client'
import { analyticsLimits } from '../../limits.ts'
import { RecordStoreError } from '../port.ts'

/** Where a ClickHouse server is reached, and who the client is. */
export interface ClickHouseServer {
  /** `http(s)://[user[:password]@]host[:port][/database]`; the database is `sluice` when the path is empty. */
  readonly url: string
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
    const rows = await asked(
      start.query({
        query: 'select name from system.databases where name = {name:String}',
        query_params: { name: database },
        format: 'JSONEachRow',
      }),
    )
    if ((await rows.json()).length === 0)
      await asked(
        start.command({
          query: 'create database if not exists {name:Identifier}',
          query_params: { name: database },
        }),
      )
  } finally {
    await start.close()
  }
  return clientOf(server, database)
}

function databaseOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1)) || 'sluice'
}

async function clientOf({ url, ca }: ClickHouseServer, database: string): Promise<ClickHouseClient> {
  const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client')
  const { origin, username, password } = new URL(url)
  return createClient({
    url: origin,
    username: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
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

/** The server's answer; its refusals and failures as errors of the store. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new RecordStoreError('failed', `ClickHouse: ${message}`, { cause })
  }
}
