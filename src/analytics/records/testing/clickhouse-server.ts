import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** The part of the package `chdb` that is used: the engine of ClickHouse as a library. */
interface Chdb {
  readonly Session: new (folder: string) => Session
}

interface Session {
  query(statement: string, format?: string): string
  queryAsync(statement: string, options: { readonly format: string }): Promise<{ bytes(): Uint8Array }>
  close(): void
}

/** An installation of that package. It is none of ours: its half a GiB is there for few systems. */
const installation =
  process.env['SLUICE_TEST_CHDB'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sluice/chdb-3.4.0')

/** Why the engine cannot be started, for tests that skip. */
export const noClickHouse = existsSync(join(installation, 'node_modules/chdb'))
  ? false
  : `no ClickHouse: npm install --prefix ${installation} chdb@3.4.0`

/** The ClickHouse engine behind the part of its HTTP interface that the client uses. */
export interface ClickHouseUnderTest {
  /** Without a database. */
  readonly url: string
  /** Called with each statement before it runs, and with whether its answer is lost: `before` it runs, or `after`. */
  fail: (statement: string) => 'before' | 'after' | undefined
  /** Called with each statement, which runs when the answer resolves. */
  hold: (statement: string) => Promise<void> | undefined
  close(): void
}

const user = 'sluice'
const password = 'p@ss/word'
const wrongPassword = 'Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)'

/** Starts the engine; a process can have one. */
export async function startClickHouse(): Promise<ClickHouseUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-clickhouse-'))
  const { Session } = createRequire(join(installation, 'package.json'))('chdb') as Chdb
  const session = new Session(folder)
  // Settings are those of the session, so statements run one after the other.
  let last: Promise<unknown> = Promise.resolve()
  const server = createServer(async (request, response) => {
    const parameters = new URL(request.url!, 'http://localhost').searchParams
    const body = await text(request)
    const statement = parameters.has('query') ? `${parameters.get('query')}\n${body}` : body
    await started.hold(statement)
    const failure = started.fail(statement)
    if (failure === 'before') return response.destroy()
    const answered = last.then(() =>
      isUser(request) ? run(session, statement, parameters) : { status: 403, answer: wrongPassword },
    )
    last = answered
    const { status, answer } = await answered
    if (failure === 'after') return response.destroy()
    return response.writeHead(status).end(answer)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const started: ClickHouseUnderTest = {
    url: `http://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    fail: () => undefined,
    hold: () => undefined,
    close() {
      server.close()
      server.closeAllConnections()
      session.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return started
}

function isUser({ headers }: IncomingMessage): boolean {
  return headers.authorization === `Basic ${btoa(`${user}:${password}`)}`
}

/** Parameters that are not settings of the statement. */
const others = new Set(['query', 'database', 'query_id', 'wait_end_of_query', 'default_format'])

async function run(
  session: Session,
  statement: string,
  parameters: URLSearchParams,
): Promise<{ readonly status: number; readonly answer: string | Uint8Array }> {
  const settings = [...parameters].filter(([name]) => !others.has(name))
  try {
    session.query(`use "${parameters.get('database') ?? 'default'}"`)
    for (const [name, value] of settings) session.query(`set ${name} = ${quoted(value)}`)
    const result = await session.queryAsync(statement, { format: 'JSONEachRow' })
    return { status: 200, answer: result.bytes() }
  } catch (error) {
    // A server answers row by row: an error follows the rows before it, unless it is asked to wait for the end.
    const isBegun = / format Parquet$/.test(statement) && parameters.get('wait_end_of_query') !== '1'
    return isBegun
      ? { status: 200, answer: `PAR1${messageOf(error)}` }
      : { status: 500, answer: messageOf(error) }
  } finally {
    for (const [name] of settings) if (!name.startsWith('param_')) session.query(`set ${name} = default`)
  }
}

function messageOf(error: unknown): string {
  return (error as Error).message.replace(/^Query failed: /, '')
}

function quoted(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`
}
