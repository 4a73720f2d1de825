import { compileFilter, type LogPredicate, measureFilter } from '../src/logfilter/index.ts'
import { lineEncoder } from '../src/logpush/output/encode.ts'
import { parseOutputOptions } from '../src/logpush/output/format.ts'
import type { LogRecord } from '../src/model/dataset.ts'
import { datasets } from '../src/model/datasets/table.ts'
import type { JsonObject } from '../src/model/resource.ts'
import { machineLine } from './support/machine.ts'
import { allocatedBytes } from './support/measure.ts'
import { figure, formatTable } from './support/table.ts'

const help = `Cost of Logpush for one record: nanoseconds of its filter, microseconds of writing it.

  npm run bench:logfilter

Records are as the spool returns them, parsed from JSON. The minimum of several short runs counts.
`

if (process.argv.includes('--help')) {
  process.stdout.write(help)
  process.exit()
}

const dataset = datasets.get('http_requests')!

function recordOf(i: number): LogRecord {
  const fields = {
    BotScore: 1 + (i % 99),
    CacheCacheStatus: 'dynamic',
    ClientASN: 64_500 + i,
    ClientCountry: 'de',
    ClientIP: `198.51.100.${i % 256}`,
    ClientRequestHost: 'shop.example.com',
    ClientRequestMethod: 'GET',
    ClientRequestPath: `/catalogue/garden/chairs/${i}.html`,
    ClientRequestURI: `/catalogue/garden/chairs/${i}.html?page=2&sort=price&colour=green`,
    ClientRequestUserAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0',
    EdgeEndTimestamp: `17775936001${String(i).padStart(8, '0')}`,
    EdgeResponseBytes: 12_345 + i,
    EdgeResponseStatus: 200,
    EdgeStartTimestamp: `17775936000${String(i).padStart(8, '0')}`,
    JA4: 't13d1516h2_8daaf6152771_02713d6af862',
    RayID: `${(0x9af500e200000000n + BigInt(i)).toString(16)}`,
    RequestHeaders: { accept: 'text/html', 'accept-language': 'en-GB,en;q=0.9' },
    SecurityActions: ['log', 'managedChallenge'],
    SecuritySources: ['firewallCustom', 'firewallManaged'],
    ZoneName: 'example.com',
  }
  return JSON.parse(JSON.stringify(fields)) as LogRecord
}

const records = Array.from({ length: 500 }, (_, i) => recordOf(i))

const runs = 12
const runMs = 25

/** Nanoseconds for one record: the minimum of the runs, which has the least disturbance. */
function nanoseconds(work: (record: LogRecord) => unknown): number {
  let best = Number.POSITIVE_INFINITY
  let kept: unknown
  for (let run = 0; run < runs; run++) {
    let calls = 0
    const start = performance.now()
    let now = start
    while (now - start < runMs) {
      for (const record of records) kept = work(record)
      calls += records.length
      now = performance.now()
    }
    best = Math.min(best, ((now - start) * 1e6) / calls)
  }
  if (kept === undefined) throw new Error('nothing was done')
  return best
}

/** Allocations of the work beyond iterating over records. */
function bytes(work: (record: LogRecord) => unknown): number {
  return Math.max(0, allocated(work) - allocated(() => true))
}

function allocated(work: (record: LogRecord) => unknown): number {
  let i = 0
  return allocatedBytes(
    () => records[i++ % records.length]!,
    record => void work(record),
    200_000,
  )
}

const criterion = (key: string, operator: string, value: unknown) => ({ key, operator, value })

/** Every record passes them: all of a filter is evaluated. */
const passing: readonly unknown[] = [
  criterion('ClientRequestHost', 'eq', 'shop.example.com'),
  criterion('EdgeResponseStatus', 'lt', 500),
  criterion('ClientRequestPath', '!startsWith', '/health'),
  criterion('SecurityActions', 'contains', 'log'),
]

/** 21 criteria in 9 groups, of which none holds: the maximum of a filter. */
function longest(): unknown {
  const short = (value: string) => criterion('JA4', 'eq', value)
  const letters = [...'abcdefghijklmnopqrstu']
  let where: unknown = { or: letters.slice(16).map(short) }
  for (let group = 7; group >= 0; group--)
    where = { or: [...letters.slice(2 * group, 2 * group + 2).map(short), where] }
  return where
}

function compiled(where: unknown, operators: number): LogPredicate {
  const filter = JSON.stringify({ where })
  const outcome = compileFilter(filter, dataset)
  if (!outcome.ok) throw new Error(outcome.problem.message)
  if (outcome.operators !== operators) throw new Error(`${measureFilter(filter).operators} operators`)
  return outcome.test
}

const filters: readonly (readonly [name: string, test: LogPredicate])[] = [
  ['1 operator', compiled(passing[0], 1)],
  ['5 operators', compiled({ and: passing }, 5)],
  ['30 operators', compiled(longest(), 30)],
  ['a time', compiled(criterion('EdgeStartTimestamp', 'geq', '2026-05-01T00:00:00Z'), 1)],
]

const field_names = [
  'RayID',
  'ClientIP',
  'ClientRequestHost',
  'ClientRequestMethod',
  'ClientRequestURI',
  'ClientRequestUserAgent',
  'EdgeStartTimestamp',
  'EdgeEndTimestamp',
  'EdgeResponseBytes',
  'EdgeResponseStatus',
  'SecurityActions',
  'RequestHeaders',
]

const formats: readonly (readonly [name: string, options: JsonObject])[] = [
  ['ndjson, 12 fields', { field_names }],
  ['ndjson, RFC 3339', { field_names, timestamp_format: 'rfc3339' }],
  ['ndjson, without ${', { field_names, 'CVE-2021-44228': true }],
  ['csv', { field_names, output_type: 'csv' }],
  ['template', { field_names, record_template: field_names.map(name => `"x":{{.${name}}}`).join(',') }],
  ['ndjson, all fields', { field_names: dataset.fields.map(field => field.name) }],
]

function encoderOf(options: JsonObject): (record: LogRecord) => string {
  const format = parseOutputOptions(options, dataset)
  if (!format.ok) throw new Error(format.problem.message)
  return lineEncoder(format.value)
}

function main(): void {
  console.log(`${machineLine()}\n`)
  const filterRows = filters.map(([name, test]) => [name, figure(nanoseconds(test)), bytes(test).toFixed(0)])
  console.log(formatTable(['filter', 'ns a record', 'bytes'], filterRows))
  const encodeRows = formats.map(([name, options]) => {
    const encode = encoderOf(options)
    return [name, figure(nanoseconds(encode) / 1000), String(encode(records[0]!).length)]
  })
  console.log(`\n${formatTable(['output', 'µs a record', 'length'], encodeRows)}`)
}

main()
