import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openLocalRecordLog } from '../../src/bus/index.ts'
import type { Zone } from '../../src/model/resource.ts'
import { aZone } from '../../src/store/testing/data.ts'
import { miniCrs } from '../../test/support/mini-crs.ts'
import { api, discard, type Instance } from '../../test/support/sluice.ts'
import { makeZone } from '../support/edge-zones.ts'
import { treeCpuMs, treeResidentMebibytes, untilIdle } from '../support/process-cpu.ts'
import { startProduct } from '../support/product.ts'
import { figure, formatTable } from '../support/table.ts'
import { sampleRecords } from './exchange.ts'
import { tenFields } from './lines.ts'

/**
 * The delivery process of an installation, with records that wait in the spool. Each job of the zone keeps half of them,
 * and writes twelve fields to S3. Processor time of the whole process without its start, and of gzip alone for the same
 * lines, in the process of the bench.
 */
const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '200000' },
    jobs: { type: 'string', default: '1,20' },
  },
})

/** Half of the ports that the records have. */
const filter = JSON.stringify({ where: { key: 'ClientSrcPort', operator: 'lt', value: 31_024 } })
const fieldNames = [...tenFields, 'EdgeColoCode', 'OriginResponseStatus']
const lookEveryMs = 100
/** Different records. */
const samples = 2000

/** Takes objects as S3 does, and counts their lines. */
class Bucket {
  lines = 0
  /** Compressed bytes. */
  bytes = 0
  /** Processor time to compress the same texts again. */
  gzipMs = 0
  readonly #server = createServer(async (request, response) => {
    const body = await buffer(request)
    response.end()
    // The test of a new destination is no object.
    if (request.method !== 'PUT' || !request.url!.includes('.log.gz')) return
    this.bytes += body.length
    const text = gunzipSync(body)
    const before = process.threadCpuUsage()
    gzipSync(text)
    const { user, system } = process.threadCpuUsage(before)
    this.gzipMs += (user + system) / 1000
    this.lines += text.toString('latin1').split('\n').length - 1
  })

  async listen(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

interface Figures {
  readonly cpuMs: number
  readonly mebibytes: number
  readonly lines: number
  readonly bytes: number
  readonly gzipMs: number
}

async function delivered(jobs: number, count: number): Promise<Figures> {
  const settings = { SLUICE_CRS: await miniCrs() }
  const bucket = new Bucket()
  const endpoint = await bucket.listen()
  let sluice = await startProduct({ settings })
  try {
    const zone = await makeZone(sluice, 'bench.test', 1)
    for (let job = 0; job < jobs; job++) await makeJob(sluice, zone, endpoint, job)
    const { id, account } = (await api(sluice, 'GET', zone)).result
    await sluice.stop()
    const start = async () => {
      sluice = await startProduct({ settings: { ...settings, SLUICE_ROLES: 'delivery' }, data: sluice.data })
    }
    await start()
    const idle = await untilQuiet(sluice, bucket, 0)
    await sluice.stop()
    const lines = await fill(sluice.data, { ...aZone(account.id), id }, count)
    await start()
    const busy = await untilQuiet(sluice, bucket, lines * jobs)
    return {
      ...busy,
      cpuMs: busy.cpuMs - idle.cpuMs,
      lines: bucket.lines,
      bytes: bucket.bytes,
      gzipMs: bucket.gzipMs,
    }
  } finally {
    await discard(sluice)
    bucket.close()
  }
}

async function makeJob(sluice: Instance, zone: string, endpoint: string, job: number): Promise<void> {
  const answer = await api(sluice, 'POST', `${zone}/logpush/jobs`, {
    destination_conf: `s3://bench/${job}?region=us-east-1&access-key-id=bench&secret-access-key=bench&endpoint=${endpoint}`,
    dataset: 'http_requests',
    enabled: true,
    filter,
    output_options: { field_names: fieldNames },
  })
  if (!answer.success) throw new Error(JSON.stringify(answer.errors))
}

/** Writes records into the spool of an installation that is stopped. @returns how many a job keeps */
async function fill(data: string, zone: Zone, count: number): Promise<number> {
  const policy = { sync: 'never', bytes: 8 * 1024 ** 3, full: 'drop-oldest', ageMs: 3_600_000 } as const
  const log = openLocalRecordLog(join(data, 'spool'), ({ message }) => console.error(message), policy)
  const writer = await log.writer('bench')
  const records = sampleRecords(samples, zone)
  const isKept = records.map(record => Number(/"ClientSrcPort":(\d+)/.exec(record)![1]) < 31_024)
  let kept = 0
  for (let at = 0; at < count; at++) {
    writer.append(records[at % samples]!)
    if (isKept[at % samples]) kept++
    if (at % 1000 === 999) await writer.flush()
  }
  await writer.flush()
  await log.close()
  return kept
}

/** @returns processor time since the start, and the most memory */
async function untilQuiet(
  { pid }: Instance,
  bucket: Bucket,
  lines: number,
): Promise<Pick<Figures, 'cpuMs' | 'mebibytes'>> {
  let mebibytes = 0
  while (bucket.lines < lines) {
    await sleep(lookEveryMs)
    mebibytes = Math.max(mebibytes, treeResidentMebibytes(pid))
  }
  await untilIdle(pid)
  return { cpuMs: treeCpuMs(pid), mebibytes: Math.max(mebibytes, treeResidentMebibytes(pid)) }
}

const count = Number(options.records)
const rows: string[][] = []
for (const jobs of options.jobs.split(',').map(Number)) {
  const { cpuMs, mebibytes, lines, bytes, gzipMs } = await delivered(jobs, count)
  rows.push([
    jobs === 1 ? '1 job' : `${jobs} jobs`,
    figure((cpuMs * 1000) / count),
    figure((cpuMs * 1000) / count / jobs),
    figure((gzipMs * 1000) / count / jobs),
    figure(cpuMs / gzipMs),
    figure(mebibytes),
    lines.toLocaleString('en'),
    figure(bytes / lines),
  ])
}
const head = [
  'serve',
  'CPU s a million',
  'for each job',
  'gzip alone',
  'times',
  'MiB',
  'lines',
  'gzip bytes a line',
]
console.log(`\n${formatTable(head, rows)}`)
