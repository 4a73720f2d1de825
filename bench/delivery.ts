import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openNatsRecordLog } from '../src/bus/index.ts'
import { isForwarded } from '../src/bus/testing/nats.ts'
import { startJob } from '../src/logpush/index.ts'
import type { Zone } from '../src/model/resource.ts'
import { openSqliteStore } from '../src/store/index.ts'
import { aJob, anAccount, aZone, testCipher } from '../src/store/testing/data.ts'
import { startNats } from '../test/support/servers.ts'
import type { FromProcess, ToProcess } from './delivery/messages.ts'
import { inFolder } from './logpush/delivering.ts'
import { sampleRecords } from './logpush/exchange.ts'
import { tenFields } from './logpush/lines.ts'
import { machineLine } from './support/machine.ts'
import { figure, formatTable } from './support/table.ts'

const help = `Throughput of one, two and four delivery processes on NATS.

  npm run bench:delivery [-- --records N] [--jobs N]

A NATS server has the records of 64 zones in eight streams. Jobs of the account begin at their start and deliver ten
fields into folders. Needs nats-server on the path. It runs on the same machine, as the processes do.
`

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '200000' },
    jobs: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})

const counts = [1, 2, 4]
const zoneCount = 64
const leaseMs = 3000
const records = Number(options.records)
const jobs = Number(options.jobs)
const account = anAccount()
const zones: readonly Zone[] = Array.from({ length: zoneCount }, () => aZone(account.id))

interface Spent {
  readonly seconds: number
  /** Of each process. */
  readonly cpuMs: readonly number[]
  readonly lines: readonly number[]
}

async function fill(natsUrl: string, folder: string): Promise<void> {
  const log = openNatsRecordLog(natsUrl, join(folder, 'spool'), ({ message }) => console.error(message))
  const writer = await log.writer('bench')
  const forwarding = await log.forward!()
  const samples = zones.map(zone => sampleRecords(20, zone))
  for (let n = 0; n < records; ) {
    for (const end = Math.min(records, n + 1000); n < end; n++) {
      const ofZone = samples[n % zoneCount]!
      writer.append(ofZone[Math.floor(n / zoneCount) % ofZone.length]!)
    }
    await writer.flush()
  }
  await isForwarded(forwarding)
  await log.close()
}

/** With a new database: the jobs begin at the start again. */
async function deliver(natsUrl: string, folder: string, count: number): Promise<Spent> {
  const database = join(folder, `${count}.db`)
  const store = await openSqliteStore(database, { migrate: true, cipher: testCipher })
  const log = openNatsRecordLog(natsUrl, join(folder, 'reader'), ({ message }) => console.error(message))
  const reader = await log.reader()
  await store.accounts.insert(account)
  const processes: ChildProcess[] = []
  let lines = 0
  for (let n = 0; n < count; n++) {
    const child = fork(join(import.meta.dirname, 'delivery/process.ts'))
    child.on('message', (message: FromProcess) => {
      if (message.kind === 'delivered') lines += message.lines
    })
    const location = `process-${n}`
    tell(child, { database, natsUrl, spool: join(folder, location), location, leaseMs })
    await once(child, 'message')
    processes.push(child)
  }
  // Until they know each other.
  await sleep(leaseMs)
  for (let n = 0; n < jobs; n++) {
    const job = await store.jobs.insert(
      aJob(
        { kind: 'account', id: account.id },
        {
          enabled: false,
          destinationConf: `file://${join(folder, `objects-${count}-${n}`)}`,
          logpullOptions: null,
          outputOptions: { field_names: [...tenFields] },
        },
      ),
    )
    await startJob({ store, reader }, job, 0)
    await store.jobs.update({ ...job, enabled: true })
  }
  const startMs = performance.now()
  for (const child of processes) tell(child, 'begin')
  while (lines < records * jobs) await sleep(5)
  const seconds = (performance.now() - startMs) / 1000
  const spent: { cpuMs: number; lines: number }[] = []
  for (const child of processes) {
    tell(child, 'report')
    for (;;) {
      const [message] = (await once(child, 'message')) as [FromProcess]
      if (message.kind !== 'spent') continue
      spent.push(message)
      break
    }
    child.kill()
  }
  await log.close()
  await store.close()
  return { seconds, cpuMs: spent.map(({ cpuMs }) => cpuMs), lines: spent.map(one => one.lines) }
}

function tell(child: ChildProcess, message: ToProcess): void {
  child.send(message)
}

if (options.help) {
  process.stdout.write(help)
  process.exit()
}

console.log(machineLine())
await inFolder(async folder => {
  const nats = await startNats()
  try {
    await fill(nats.url, folder)
    const rows: string[][] = []
    for (const count of counts) {
      const { seconds, cpuMs, lines } = await deliver(nats.url, folder, count)
      const total = records * jobs
      const cpu = cpuMs.reduce((sum, ms) => sum + ms, 0)
      rows.push([
        String(count),
        figure(total / seconds),
        figure((cpu * 1000) / total),
        figure(cpu / 1000 / seconds),
        // The process with the largest share ends last, if each has a core.
        figure((total / Math.max(...cpuMs)) * 1000),
        lines.map(share => `${Math.round((share * 100) / total)} %`).join(', '),
      ])
    }
    const head = ['processes', 'lines/s', 'CPU µs a line', 'cores busy', 'lines/s with a core each', 'shares']
    console.log(formatTable(head, rows))
  } finally {
    await nats.close()
  }
})
