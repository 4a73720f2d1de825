import { formatTable } from '../support/table.ts'
import { Delivering, inFolder } from './delivering.ts'
import { sampleRecords } from './exchange.ts'

/**
 * An hour of a hundred records a second, as fast as possible, with a destination that accepts them and with one that
 * does not answer. Megabytes after each tenth: of the heap after garbage collection, and of the process.
 */
const recordCount = 360_000
const points = 10

async function run(destinationConf: string | undefined): Promise<readonly string[][]> {
  const rows: string[][] = []
  await inFolder(async folder => {
    const delivering = await Delivering.open(folder)
    const [zone] = await delivering.zones(1)
    const records = sampleRecords(2000, zone)
    const portion = Array.from({ length: recordCount / points }, (_, i) => records[i % records.length]!)
    await delivering.job(zone!, 'job', {
      maxUploadRecords: 10_000,
      ...(destinationConf !== undefined && { destinationConf }),
    })
    delivering.start()
    for (let point = 1; point <= points; point++) {
      const end = portion.length * point
      await delivering.write(portion)
      if (destinationConf === undefined) await delivering.delivered(end - (end % 10_000))
      rows.push([end.toLocaleString('en'), delivering.lines.toLocaleString('en'), ...megabytes()])
    }
    await delivering.close()
  })
  return rows
}

function megabytes(): string[] {
  for (let times = 3; times > 0; times--) globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  return [((heapUsed + external) / 1e6).toFixed(0), (rss / 1e6).toFixed(0)]
}

const head = ['written', 'delivered', 'heap MB', 'process MB']
console.log(`\nmemory, destination up\n${formatTable(head, await run(undefined))}`)
// No process listens there.
console.log(`\nmemory, destination down\n${formatTable(head, await run('http://127.0.0.1:9/logs'))}`)
