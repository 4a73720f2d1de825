/**
 * A process that appends numbered records until it is killed; the tests start it with a spool directory, the
 * first number and the sync policy. It prints each number up to which `flush` has acknowledged.
 */
import { writeSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import type { SpoolSync } from '../../model/settings/index.ts'
import { openLocalRecordLog } from '../local/spool/record-log.ts'
import { defaultPolicy } from '../policy.ts'

const [directory, first, sync] = process.argv.slice(2)
const fail = (fault: { readonly message: string }) => {
  throw new Error(fault.message)
}
const log = openLocalRecordLog(directory!, fail, { ...defaultPolicy, sync: sync as SpoolSync })
const writer = await log.writer('w')
for (let n = Number(first); ; ) {
  const group = 1 + ((n * 7) % 40)
  for (let i = 0; i < group; i++, n++) writer.append(`{"n":${n},"pad":"${'x'.repeat((n * 37) % 5000)}"}`)
  if (n % 3 === 0) {
    await writer.flush()
    writeSync(1, `${n - 1}\n`)
  }
  await turn()
}
