import { type ClickHouseServer, clientOf, databaseOf, rowsOf } from './connect.ts'

/** A server and what Sluice has on it. */
export interface ClickHouseState {
  readonly version: string
  readonly database: string
  /** Of all tables of the database; 0 without one. */
  readonly bytes: number
  /** Ms since the epoch, by the server's clock. */
  readonly nowMs: number
}

/** Asks a server, and changes nothing. @throws RecordStoreError */
export async function clickHouseState(server: ClickHouseServer): Promise<ClickHouseState> {
  const database = databaseOf(server.url)
  const client = await clientOf(server, 'default')
  try {
    const [state] = await rowsOf<Omit<ClickHouseState, 'database'>>(
      client,
      `select version() as version, toUnixTimestamp64Milli(now64(3)) as nowMs, coalesce(sum(total_bytes), 0) as bytes
        from system.tables where database = {database:String}`,
      { database },
    )
    return { database, ...state! }
  } finally {
    await client.close()
  }
}
