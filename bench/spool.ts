import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { openLocalRecordLog, type RecordLog, type RecordWriter } from '../src/bus/index.ts'
import { machineLine } from './support/machine.ts'
import { figure, formatTable } from './support/table.ts'

const help = `Cost of log records for the thread that writes them to the spool, by sync policy.

  npm run bench:spool [-- DIRECTORY]

Records of 1 KiB. Columns: records per second at full speed, 100 per turn of the event loop; processor time of one,
including the thread pool; then at 10,000 per second the delay of a timer, and the duration of a flush; then records per
second if each waits for its own flush. The best of several short runs counts. DIRECTORY is on the disk to be measured;
by default the system's directory for temporary files.
`

if (process.argv.includes('--help')) {
  process.stdout.write(help)
  process.exit()
}

const record = `{"zone":"shop","dataset":"http_requests","fields":{"pad":"${'x'.repeat(1024 - 62)}"}}`
const runs = 4
const quotaBytes = 256 * 1024 * 1024

/** Records per second and microseconds of processor time for each. */
async function flood(writer: RecordWriter): Promise<readonly [perSecond: number, cpuUs: number]> {
  const start = performance.now()
  const cpuStart = process.cpuUsage()
  let count = 0
  while (performance.now() - start < 500) {
    for (let n = 0; n < 100; n++) writer.append(record)
    count += 100
    await turn()
  }
  await writer.flush()
  const { user, system } = process.cpuUsage(cpuStart)
  return [(1000 * count) / (performance.now() - start), (user + system) / count]
}

/** Milliseconds: the delay of timers, and the duration of flushes. */
async function steady(
  writer: RecordWriter,
): Promise<{ readonly late50: number; readonly late99: number; readonly flush99: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const flushes: number[] = []
  delay.enable()
  const start = performance.now()
  let count = 0
  let flushed = 0
  for (let now = start; now - start < 1000; now = performance.now()) {
    for (; count < (now - start) * 10; count++) writer.append(record)
    if (count - flushed > 200) {
      flushed = count
      void writer.flush().then(() => flushes.push(performance.now() - now))
    }
    await sleep(1)
  }
  delay.disable()
  await writer.flush()
  flushes.sort((a, b) => a - b)
  const late = (percentile: number) => delay.percentile(percentile) / 1e6 - 1
  return { late50: late(50), late99: late(99), flush99: flushes[Math.floor(flushes.length * 0.99)]! }
}

/** Records per second if each waits until it is durable. */
async function oneByOne(writer: RecordWriter): Promise<number> {
  const start = performance.now()
  let count = 0
  while (performance.now() - start < 300) {
    writer.append(record)
    await writer.flush()
    count++
  }
  return (1000 * count) / (performance.now() - start)
}

async function measure(log: RecordLog): Promise<readonly string[]> {
  const writer = await log.writer('bench')
  const floods: (readonly [number, number])[] = []
  const steadies: Awaited<ReturnType<typeof steady>>[] = []
  let alone = 0
  for (let run = 0; run < runs; run++) {
    floods.push(await flood(writer))
    steadies.push(await steady(writer))
    alone = Math.max(alone, await oneByOne(writer))
  }
  const least = (pick: (run: (typeof steadies)[number]) => number) => figure(Math.min(...steadies.map(pick)))
  return [
    Math.round(Math.max(...floods.map(([perSecond]) => perSecond))).toLocaleString('en'),
    figure(Math.min(...floods.map(([, cpuUs]) => cpuUs))),
    least(run => run.late50),
    least(run => run.late99),
    least(run => run.flush99),
    Math.round(alone).toLocaleString('en'),
  ]
}

const root = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'sluice-bench-'))
const rows: string[][] = []
for (const sync of ['never', 'interval', 'always'] as const) {
  const onFault = (fault: { readonly code: string; readonly message: string }) => {
    // There is no delivery here, so the quota deletes the oldest.
    if (fault.code !== 'quota') throw new Error(fault.message)
  }
  const log = openLocalRecordLog(join(root, sync), onFault, {
    sync,
    bytes: quotaBytes,
    full: 'drop-oldest',
    ageMs: 3_600_000,
  })
  rows.push([sync, ...(await measure(log))])
  await log.close()
}
rmSync(root, { recursive: true, force: true })
const head = ['policy', 'records/s', 'CPU µs', 'late p50 ms', 'late p99 ms', 'flush p99 ms', 'one by one/s']
process.stdout.write(`${machineLine()}\n\n${formatTable(head, rows)}\n`)
