import { momentForms } from '../../logpush/index.ts'
import type { Json } from '../../model/resource.ts'
import { type Api, openApi } from '../api.ts'
import { parseCommandLine, UsageError } from '../usage.ts'

/** The output of `sluice sql --help`. */
export const sqlHelp = `sluice sql: SQL over the retained records of an account

  sluice sql 'select ClientCountry, count(*) as n from http_requests group by all order by n desc'
      Prints the rows, one JSON object per line. The statement is one SELECT in DuckDB's SQL over http_requests,
      firewall_events and what_if_samples, which have a column for each field.

      --since T, --until T  ${momentForms}; without them the last 24 hours
      --limit N             rows of the answer; default 1000
      --parquet FILE        write the rows to a Parquet file instead
      --account ID          the account; needed when there are several

It asks the API of a running Sluice: the one that the settings describe, or the one at
CLOUDFLARE_BASE_URL with CLOUDFLARE_API_TOKEN.`

/** `sluice sql`. */
export async function sqlCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(commandLine, [
    'account',
    'since',
    'until',
    'limit',
    'parquet',
  ])
  const [sql] = words
  if (sql === undefined || words.length > 1)
    throw new UsageError("use `sluice sql 'select …'`, with the statement as one word", { command: 'sql' })
  const limit = flags.get('limit')
  if (limit !== undefined && !/^\d{1,9}$/.test(limit))
    throw new UsageError(`'${limit}' is not a valid --limit: it has to be a whole number`, { command: 'sql' })
  const body: Record<string, Json> = { sql }
  if (limit !== undefined) body['limit'] = Number(limit)
  for (const name of ['since', 'until']) if (flags.has(name)) body[name] = flags.get(name)!
  const api = await openApi(settings)
  const path = `/accounts/${await accountOf(api, flags.get('account'))}/logs/sql`
  const file = flags.get('parquet')
  if (file === undefined) await printRows(api, path, body)
  else await api.download(`${path}/export`, body, file)
}

async function accountOf(api: Api, id: string | undefined): Promise<string> {
  if (id !== undefined) return encodeURIComponent(id)
  const accounts = await api.list('/accounts')
  if (accounts.length === 1) return accounts[0]!['id'] as string
  const ids = accounts.map(account => account['id']).join(', ')
  throw new UsageError(`there are ${accounts.length} accounts; name one with --account: ${ids}`, {
    command: 'sql',
  })
}

interface Rows {
  readonly columns: readonly { readonly name: string }[]
  readonly rows: readonly (readonly unknown[])[]
  readonly more: boolean
}

async function printRows(api: Api, path: string, body: Json): Promise<void> {
  const { columns, rows, more } = (await api.send('POST', path, body)) as unknown as Rows
  for (const row of rows)
    console.log(JSON.stringify(Object.fromEntries(columns.map(({ name }, at) => [name, row[at]]))))
  if (more) console.error(`There are more than ${rows.length} rows; --limit asks for more of them.`)
}
