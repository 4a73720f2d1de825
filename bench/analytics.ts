import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answersOf } from '../src/analytics/answers.ts'
import { decode } from '../src/analytics/records/decode.ts'
import { openDuckDBStore } from '../src/analytics/records/duckdb/store.ts'
import type { RecordStore } from '../src/analytics/records/port.ts'
import { sql } from '../src/analytics/records/sql.ts'
import { queriesOf } from './analytics/queries.ts'
import { eventRecord, happening, requestRecord, zones } from './analytics/traffic.ts'
import { machineLine, residentMegabytes } from './support/machine.ts'
import { formatTable } from './support/table.ts'

const help = `Analytics: speed of reading the record log into DuckDB, its size, and the time of every query.

  npm run bench:analytics [-- RECORDS [DIRECTORY]]

Records are of 7 days; four in five are of one busy zone of 100. One in five is an event, the others are requests, of which
every fourth has an action of rules. DIRECTORY keeps the file for a second run, which only asks. Run it on one core:
taskset -c 0 npm run bench:analytics.
`

if (process.argv.includes('--help')) {
  process.stdout.write(help)
  process.exit()
}

const endMs = Date.UTC(2026, 0, 8)
const weekMs = 7 * 24 * 3_600_000
const batchRecords = 10_000
const always = { sinceMs: 0, untilMs: Number.POSITIVE_INFINITY }

const total = Number(process.argv[2] ?? 2_000_000)
const directory = process.argv[3] ?? mkdtempSync(join(tmpdir(), 'sluice-bench-'))
mkdirSync(directory, { recursive: true })
const path = join(directory, `records-${total}`, 'analytics.duckdb')

console.log(machineLine())
const isNew = !existsSync(path)
console.log(`memory    ${residentMegabytes().toFixed(0)} MB before`)
const store = await openDuckDBStore(path)
console.log(`memory    ${residentMegabytes().toFixed(0)} MB with an open store`)
if (isNew) await fill(store)
await ask(store)
await store.close()
console.log(`memory    ${residentMegabytes().toFixed(0)} MB after closing`)
if (process.argv[3] === undefined) rmSync(directory, { recursive: true })

async function fill(into: RecordStore): Promise<void> {
  const cpuUs = { decode: 0, append: 0 }
  let [wallMs, slowestMs] = [0, 0]
  for (let after = 0; after < total; after += batchRecords) {
    const records = recordsFrom(after).map((record, at) => ({
      sequence: after + at + 1,
      receivedMs: 0,
      record,
    }))
    const began = performance.now()
    const start = process.cpuUsage()
    const tables = decode('bench', records, always)
    const decoded = process.cpuUsage(start)
    await into.append({ partition: 'bench', after, last: after + batchRecords, missing: 0, tables })
    const both = process.cpuUsage(start)
    cpuUs.decode += decoded.user + decoded.system
    cpuUs.append += both.user + both.system - decoded.user - decoded.system
    wallMs += performance.now() - began
    slowestMs = Math.max(slowestMs, performance.now() - began)
  }
  const rate = ((1000 * total) / wallMs).toFixed(0)
  const each = (us: number) => `${(us / total).toFixed(1)} µs`
  console.log(
    `ingest    ${rate} records a second; processor time of each ${each(cpuUs.decode)} to decode, ${each(cpuUs.append)} to append; slowest batch ${slowestMs.toFixed(0)} ms`,
  )
  console.log(`memory    ${residentMegabytes().toFixed(0)} MB after reading`)
  console.log(`disk      ${(statSync(path).size / total).toFixed(0)} bytes a record`)
}

function recordsFrom(first: number): readonly string[] {
  return Array.from({ length: batchRecords }, (_, at) => {
    const n = first + at
    const what = happening(endMs - weekMs + Math.floor((n / total) * weekMs))
    if (n % 5 === 0) return eventRecord(what)
    return n % 5 === 1 ? requestRecord(what.zone, what.timeMs, what) : requestRecord(what.zone, what.timeMs)
  })
}

async function ask(of: RecordStore): Promise<void> {
  const [row] = await of.rows<{ client: string; path: string; ray: string }>(
    sql`select "ClientIP" as client, "ClientRequestPath" as path, "RayID" as ray from firewall_events
      where zone = ${zones[0]!} order by time desc limit 1`,
  )
  const answers = answersOf(of, tmpdir())
  const rows: string[][] = []
  for (const { query, range, run } of queriesOf(row!, endMs)) {
    const times: number[] = []
    for (let n = 0; n < 3; n++) {
      const began = performance.now()
      await run(answers)
      times.push(performance.now() - began)
    }
    rows.push([query, range, times[0]!.toFixed(0), Math.min(...times).toFixed(0)])
  }
  console.log(formatTable(['query', 'range', 'first ms', 'best ms'], rows))
}
