import { type Api, openApi } from '../../api.ts'
import { type CommandLine, UsageError } from '../../usage.ts'

/** Flags that are parameters of the API's search. */
export const searchFlags = ['since', 'until', 'dataset', 'filter', 'expression', 'fields', 'order'] as const

/** Records of a page of the API, at most. */
const pageRecords = 1000
const limitDefault = 100

/** Prints the records of a zone that pass, one JSON object a line. */
export async function searchLogs({ flags, settings }: Omit<CommandLine, 'words'>): Promise<void> {
  const limit = limitOf(flags.get('limit'))
  const query = new URLSearchParams({ limit: String(Math.min(limit, pageRecords)) })
  for (const name of searchFlags) {
    const value = flags.get(name)
    if (value !== undefined) query.set(name, value)
  }
  const api = await openApi(settings)
  const zoneId = await zoneNamed(api, flags.get('zone'))
  let left = limit
  for await (const records of api.pages(`/zones/${zoneId}/logs/search?${query}`)) {
    for (const record of records.slice(0, left)) console.log(JSON.stringify(record))
    left -= records.length
    if (left <= 0) return
  }
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return limitDefault
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new UsageError(`'${text}' is not a valid --limit: it has to be a whole number from 1`, {
    command: 'logs',
  })
}

async function zoneNamed(api: Api, name: string | undefined): Promise<string> {
  if (name === undefined) throw new UsageError('logs search needs --zone NAME', { command: 'logs' })
  const [zone] = await api.list(`/zones?name=${encodeURIComponent(name)}`)
  if (zone === undefined) throw new Error(`there is no zone ${name}`)
  return zone['id'] as string
}
