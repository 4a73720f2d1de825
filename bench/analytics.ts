import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDatabase } from '../src/analytics/database.ts'
import { openAnalytics } from '../src/analytics/index.ts'
import { BatchWriter } from '../src/analytics/ingest/batch-writer.ts'
import { always, build, daysBuilt, unlimited } from './analytics/build.ts'
import { questionsOf, type Run } from './analytics/questions.ts'
import { eventRecord, happening, requestRecord } from './analytics/traffic.ts'
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

const dayMs = 24 * 3_600_000
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
  const found = { client: row.client_text, path: row.path_text, ray: row.ray }
  for (const { question, range, run } of questionsOf(found, endMs))
    rows.push([question, range, ...(await timed(run))])
  console.log(formatTable(['question', 'range', 'first ms', 'best ms', 'cpu ms'], rows))
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
