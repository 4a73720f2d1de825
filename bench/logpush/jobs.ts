import type { Zone } from '../../src/model/resource.ts'
import { figure, formatTable } from '../support/table.ts'
import { once, type Rate } from '../support/rate.ts'
import { Delivering, inFolder } from './delivering.ts'
import { sampleRecords } from './exchange.ts'

/**
 * Many jobs over one stream. A job keeps the tenth of its zone's records that are answered with 404 and writes ten
 * fields. When all jobs are of one zone, each has to look at every record; when each has a zone of its own, no record
 * concerns more than one. Processor time of all threads; the runs with more jobs take fewer records.
 */
const filter = JSON.stringify({ where: { key: 'EdgeResponseStatus', operator: 'eq', value: 404 } })
const sizes = [
  { jobs: 1, records: 100_000 },
  { jobs: 100, records: 50_000 },
  { jobs: 1000, records: 10_000 },
] as const

interface Run {
  readonly rate: Rate
  readonly lines: number
}

async function run(jobs: number, recordCount: number, apart: boolean): Promise<Run> {
  let found: Run | undefined
  await inFolder(async folder => {
    const delivering = await Delivering.open(folder)
    const zones = await delivering.zones(apart ? jobs : 1)
    const records = zones.flatMap(zone => sampleRecords(Math.max(20, 2000 / zones.length), zone))
    // Whose turn it is changes with every record.
    const perZone = records.length / zones.length
    const recordAt = (i: number) =>
      records[(i % zones.length) * perZone + (Math.floor(i / zones.length) % perZone)]!
    let kept = 0
    for (let i = 0; i < recordCount; i++) {
      const record = recordAt(i)
      if (record.includes('"EdgeResponseStatus":404')) kept++
      delivering.writer.append(record)
      if (i % 10_000 === 0) await delivering.writer.flush()
    }
    await delivering.writer.flush()
    for (let job = 0; job < jobs; job++) await delivering.job(zoneOf(zones, job), `job-${job}`, { filter })
    const lines = kept * (apart ? 1 : jobs)
    const rate = await once(async () => {
      delivering.start()
      await delivering.delivered(lines)
      return recordCount
    })
    found = { rate, lines }
    await delivering.close()
  })
  return found!
}

function zoneOf(zones: readonly Zone[], job: number): Zone {
  return zones[job % zones.length]!
}

const rows: string[][] = []
for (const apart of [true, false]) {
  let alone: Run | undefined
  for (const { jobs, records } of sizes) {
    const { rate, lines } = await run(jobs, records, apart)
    alone ??= { rate, lines }
    const more = jobs === 1 ? '–' : figure((rate.cpuUs - alone.rate.cpuUs) / (jobs - 1))
    rows.push([
      apart ? `${jobs} jobs, each of its own zone` : `${jobs} jobs, all of one zone`,
      Math.round(rate.perSecond).toLocaleString('en'),
      figure(rate.cpuUs),
      more,
      lines.toLocaleString('en'),
    ])
  }
}
console.log(`\n${formatTable(['jobs', 'records/s', 'CPU µs', 'a further job', 'lines'], rows)}`)
