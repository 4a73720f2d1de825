import pg from 'pg'
import { type Server, startPostgres } from './servers.ts'

/** One server for all runs that want it, started for the first of them. */
export class SharedPostgres {
  #server: Promise<Server> | undefined
  #databases = 0

  /** @returns the URL of an empty database */
  async database(): Promise<string> {
    this.#server ??= startPostgres()
    const { url } = await this.#server
    const name = `faults_${++this.#databases}`
    await runSql(url, `create database ${name}`)
    return url.replace(/[^/]*$/, name)
  }

  async close(): Promise<void> {
    await (await this.#server)?.close()
  }
}

/** Ends every connection to a database, as a server does that goes down. */
export function cutConnections(url: string): Promise<void> {
  return runSql(
    url,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
}

async function runSql(url: string, text: string): Promise<void> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
