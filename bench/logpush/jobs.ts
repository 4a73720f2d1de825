import { recordFields } from '../../src/bus/index.ts'
import { compileFilter } from '../../src/logfilter/index.ts'
import { BatchMemory } from '../../src/logpush/batch/batch-memory.ts'
import { GzipPieces } from '../../src/logpush/batch/gzip-pieces.ts'
import { httpRequests } from '../../src/model/datasets/http-requests.ts'
import { once, type Rate, rateOf } from '../support/rate.ts'
import { figure, formatTable } from '../support/table.ts'
import { Delivering, inFolder } from './delivering.ts'
import { sampleRecords } from './exchange.ts'
import { encoderOf, tenFields } from './lines.ts'

/**
 * Many jobs over one stream, from the moment when the spool gets the records. A job keeps the tenth of its zone's
 * records with status 404 and writes ten fields of them into one object. If all jobs are of one zone, each reads every
 * record. If each has a separate zone, each record is for one job only. Processor time of all threads; the runs with
 * more jobs take fewer records, so their objects weigh more.
 */
const filter = JSON.stringify({ where: { key: 'EdgeResponseStatus', operator: 'eq', value: 404 } })
const sizes = [
  { jobs: 1, records: 100_000 },
  { jobs: 100, records: 50_000 },
  { jobs: 1000, records: 10_000 },
].map(size => ({ ...size, zones: size.jobs }))
/** As many as a zone may have. */
const ofOneZone = sizes.slice(0, 2).map(size => ({ ...size, zones: 1 }))
/** Longer than it takes to write the records. */
const settleMs = 3000

interface Run {
  readonly rate: Rate
  readonly lines: number
}

async function run(jobs: number, recordCount: number, zoneCount: number): Promise<Run> {
  let found: Run | undefined
  await inFolder(async folder => {
    const delivering = await Delivering.open(folder)
    const zones = await delivering.zones(zoneCount)
    const samples = zones.map(zone => sampleRecords(Math.max(20, 2000 / zones.length), zone))
    // A new zone with every record.
    const records = Array.from({ length: recordCount }, (_, i) => {
      const ofZone = samples[i % samples.length]!
      return ofZone[Math.floor(i / samples.length) % ofZone.length]!
    })
    const kept = records.filter(record => record.includes('"EdgeResponseStatus":404')).length
    const lines = kept * (jobs / zoneCount)
    for (let job = 0; job < jobs; job++)
      await delivering.job(zones[job % zones.length]!, `job-${job}`, { filter })
    delivering.start({ settleMs })
    await delivering.following()
    const rate = await once(async () => {
      await delivering.write(records)
      await delivering.delivered(lines)
      return recordCount
    })
    found = { rate, lines }
    await delivering.close()
  })
  return found!
}

/** The work of a job on parsed records alone. */
async function own(): Promise<Rate> {
  const records = sampleRecords(2000).map(recordFields)
  const compiled = compileFilter(filter, httpRequests)
  if (!compiled.ok) throw new Error(compiled.problem.message)
  const encode = encoderOf({ field_names: tenFields })
  return await rateOf(async () => {
    const gzip = new GzipPieces(new BatchMemory(Number.POSITIVE_INFINITY).account().hold())
    let piece = ''
    for (const record of records) if (compiled.test(record)) piece += encode(record)
    gzip.add(piece)
    await gzip.finish()
    return records.length
  })
}

const { cpuUs, mainUs } = await own()
const rows: string[][] = [['filter and output by themselves', figure(cpuUs), figure(mainUs), '–', '–']]
for (const group of [sizes, ofOneZone]) {
  let alone: Run | undefined
  for (const { jobs, records, zones } of group) {
    const { rate, lines } = await run(jobs, records, zones)
    alone ??= { rate, lines }
    const further = (rate.cpuUs - alone.rate.cpuUs) / (jobs - 1)
    rows.push([
      jobs === 1 ? '1 job' : `${jobs} jobs, ${zones === jobs ? 'each of another zone' : 'all of one zone'}`,
      figure(rate.cpuUs),
      figure(rate.mainUs),
      jobs === 1 ? '–' : figure(further),
      lines.toLocaleString('en'),
    ])
  }
}
console.log(`\n${formatTable(['jobs', 'CPU µs', 'main µs', 'a further job', 'lines'], rows)}`)
