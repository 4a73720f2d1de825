import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDatabase } from '../src/analytics/database.ts'
import { type Analytics, type EventFilter, openAnalytics } from '../src/analytics/index.ts'
import { BatchWriter } from '../src/analytics/ingest/batch-writer.ts'
import { always, build, daysBuilt, unlimited } from './analytics/build.ts'
import { account, busyZone, eventRecord, happening, requestRecord } from './analytics/traffic.ts'
import { machineLine } from './support/machine.ts'
import { formatTable } from './support/table.ts'

const help = `Time of analytics queries on 10 million events of 7 days, and speed of reading records.

  npm run bench:analytics [-- EVENTS [DIRECTORY]]

Four events in five are of one busy zone of 100. For every five events there is the record of a request, alternately with
and without an action of rules. The database is built first: a part through the code that reads the record log, the rest
as copies of it. Then each query runs for 24 hours and for 7 days of the busy zone. Columns: the first answer after
opening, the best of several, and the processor time of one, which other processes change least. DIRECTORY keeps the
database for a second run.
`

if (process.argv.includes('--help')) {
  process.stdout.write(help)
  process.exit()
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const endMs = Date.UTC(2026, 0, 8)
const startMs = endMs - daysBuilt * dayMs

const eventsMax = Number(process.argv[2] ?? 10_000_000)
const directory = process.argv[3] ?? mkdtempSync(join(tmpdir(), 'sluice-bench-'))
mkdirSync(directory, { recursive: true })
const path = join(directory, `analytics-${eventsMax}.sqlite`)

console.log(machineLine())
if (!existsSync(path)) build(path, eventsMax, startMs)
const bytes = statSync(path).size
console.log(
  `database  ${(bytes / 2 ** 20).toFixed(0)} MiB, ${(bytes / eventsMax).toFixed(0)} bytes an event\n`,
)
await ask()
measureIngest()
if (process.argv[3] === undefined) rmSync(directory, { recursive: true })

async function ask(): Promise<void> {
  const database = new DatabaseSync(path)
  const some = database.prepare(
    "select client, path, t.text as client_text, u.text as path_text, printf('%016x', ray) as ray from events join texts t on t.id = client join texts u on u.id = path order by block desc limit 1 offset 777",
  )
  const row = some.get() as { client_text: string; path_text: string; ray: string }
  database.close()
  const rows: string[][] = []
  for (const [name, rangeMs] of [
    ['24 h', dayMs],
    ['7 days', 7 * dayMs],
  ] as const)
    for (const [question, run] of questions(row, { sinceMs: endMs - rangeMs, untilMs: endMs }))
      rows.push([question, name, ...(await timed(run))])
  console.log(formatTable(['question', 'range', 'first ms', 'best ms', 'cpu ms'], rows))
}

type Run = (analytics: Analytics) => Promise<unknown>

function questions(
  row: { client_text: string; path_text: string; ray: string },
  range: { sinceMs: number; untilMs: number },
): readonly (readonly [string, Run])[] {
  const events =
    (filter: object): Run =>
    analytics =>
      analytics.events(busyZone, { range, filter, limit: 100 })
  const series = (
    groupBy: 'none' | 'action' | 'rule' | 'matched_rule' | 'path' | 'client' | 'country',
  ): Run => {
    const stepMs = range.untilMs - range.sinceMs > dayMs ? hourMs : 300_000
    return analytics => analytics.timeseries(busyZone, { range, groupBy, stepMs })
  }
  const top =
    (by: 'rule' | 'matched_rule' | 'path' | 'client' | 'country' | 'user_agent'): Run =>
    analytics =>
      analytics.top(busyZone, { range, by, limit: 10 })
  const topOf =
    (filter: EventFilter): Run =>
    analytics =>
      analytics.top(busyZone, { range, filter, by: 'path', limit: 10 })
  const seriesOf =
    (filter: EventFilter): Run =>
    analytics =>
      analytics.timeseries(busyZone, { range, filter, groupBy: 'path', stepMs: hourMs })
  return [
    ['overview', analytics => analytics.zoneOverview(busyZone, range)],
    ['account overview', analytics => analytics.accountOverview(account, endMs - 1)],
    ['rule hits', analytics => analytics.ruleHits(busyZone, range)],
    ['timeseries', series('none')],
    ['timeseries by action', series('action')],
    ['timeseries by rule', series('rule')],
    ['timeseries by matched rule', series('matched_rule')],
    ['timeseries by path', series('path')],
    ['timeseries by client', series('client')],
    ['timeseries by country', series('country')],
    ['top rules', top('rule')],
    ['top matched rules', top('matched_rule')],
    ['top paths', top('path')],
    ['top clients', top('client')],
    ['top countries', top('country')],
    ['top user agents', top('user_agent')],
    ['top paths of an action', topOf({ action: 'managedchallenge' })],
    ['timeseries by path of an action', seriesOf({ action: 'managedchallenge' })],
    ['events', events({})],
    ['events of an action', events({ action: 'managedchallenge' })],
    ['events of a rule', events({ rule: '7'.padStart(32, 'c') })],
    ['events of a matched rule', events({ matchedRule: (0x9000 + 290).toString(16).padStart(32, '5') })],
    ['events of a client', events({ client: row.client_text })],
    ['events of a path', events({ path: row.path_text })],
    ['events of a rare pair', events({ country: 'xx', method: 'POST', rule: '7'.padStart(32, 'c') })],
    ['events of an unknown client', events({ method: 'POST', path: '/p/1', client: row.client_text })],
    ['events of a ray', analytics => analytics.eventsOfRay(busyZone, row.ray)],
  ]
}

/** Milliseconds: directly after opening, the best of all, and the least processor time of one. */
async function timed(run: Run): Promise<[first: string, best: string, cpu: string]> {
  const analytics = openAnalytics(path)
  // The thread begins with its first question.
  await analytics.zoneOverview('none', { sinceMs: 0, untilMs: 1 })
  const times: number[] = []
  const cpu: number[] = []
  for (let n = 0; n < 6; n++) {
    const usage = process.cpuUsage()
    const before = performance.now()
    await run(analytics)
    times.push(performance.now() - before)
    const { user, system } = process.cpuUsage(usage)
    cpu.push((user + system) / 1000)
  }
  await analytics.close()
  return [times[0]!.toFixed(0), Math.min(...times).toFixed(0), Math.min(...cpu).toFixed(0)]
}

/** Records per second into the full database: half of them events, after all others. */
function measureIngest(): void {
  const database = openDatabase(path)
  const writer = new BatchWriter(database, unlimited)
  const { sequence } = writer.position('rate')
  const events = 2000
  const cpuUs: number[] = []
  const rates = Array.from({ length: 5 }, (_, round) => {
    const records = Array.from({ length: events }, (_, n) => {
      const what = happening(endMs + (round * events + n) * 10)
      return [requestRecord(what.zone, what.timeMs, what), eventRecord(what)]
    }).flat()
    const after = sequence + round * records.length
    const usage = process.cpuUsage()
    const before = performance.now()
    writer.write({ partition: 'rate', after, last: after + records.length, missing: 0, records }, always)
    const { user, system } = process.cpuUsage(usage)
    cpuUs.push((user + system) / records.length)
    return (1000 * records.length) / (performance.now() - before)
  })
  const cost = Math.min(...cpuUs).toFixed(0)
  console.log(
    `\ningest    ${Math.max(...rates).toFixed(0)} records a second, half of them events; ${cost} µs of processor time each`,
  )
  database.close()
}
