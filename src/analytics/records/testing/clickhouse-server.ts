import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Session } from 'chdb'

/** The ClickHouse engine behind the part of its HTTP interface that the client uses. */
export interface ClickHouseUnderTest {
  /** Without a database. */
  readonly url: string
  /** Called with each statement before it runs, and with whether its answer is lost: `before` it runs, or `after`. */
  fail: (statement: string) => 'before' | 'after' | undefined
  close(): void
}

const user = 'sluice'
const password = 'p@ss/word'

/** Starts the engine; a process can have one. */
export async function startClickHouse(): Promise<ClickHouseUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-clickhouse-'))
  const session = new Session(folder)
  const server = createServer(async (request, response) => {
    const parameters = new URL(request.url!, 'http://localhost').searchParams
    const body = await text(request)
    const statement = parameters.has('query') ? `${parameters.get('query')}\n${body}` : body
    const failure = started.fail(statement)
    if (failure === 'before') return response.destroy()
    const { status, answer } = isUser(request)
      ? run(session, statement, parameters)
      : { status: 403, answer: 'Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)' }
    if (failure === 'after') return response.destroy()
    return response.writeHead(status).end(answer)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const started: ClickHouseUnderTest = {
    url: `http://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    fail: () => undefined,
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

function run(
  session: Session,
  statement: string,
  parameters: URLSearchParams,
): { readonly status: number; readonly answer: string } {
  const settings = [...parameters].filter(([name]) => !others.has(name))
  try {
    session.query(`use "${parameters.get('database') ?? 'default'}"`)
    for (const [name, value] of settings) session.query(`set ${name} = ${quoted(value)}`)
    return { status: 200, answer: session.query(statement, 'JSONEachRow') }
  } catch (error) {
    return {
      status: 500,
      answer: (error as Error).message.replace(/^Query failed: (Code: \d+\. DB::Exception: )?/, ''),
    }
  } finally {
    for (const [name] of settings) if (!name.startsWith('param_')) session.query(`set ${name} = default`)
  }
}

function quoted(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`
}
