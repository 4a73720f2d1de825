/** A process that appends records and forwards them, until it is killed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultPolicy } from '../policy.ts'
import { openNats } from './nats.ts'

const [url, directory, life] = process.argv.slice(2) as [string, string, string]
const options = { partitions: 2, duplicateMs: 100 }
const log = openNats(url, () => {}, defaultPolicy, options, directory)
const writer = await log.writer('w')
await log.forward!()
for (let n = 0; ; n++) {
  writer.append(JSON.stringify({ zone: `${n % 7}`.padEnd(32, 'a'), account: '', dataset: '', n, life }))
  if (n === 300) process.stdout.write('.')
  if (n % 10 === 0) await sleep(5)
}
