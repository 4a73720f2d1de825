import { tmpdir } from 'node:os'
import { openNatsRecordLog } from '../../src/bus/index.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { type Delivery, startDelivery } from '../../src/logpush/index.ts'
import { openSqliteStore } from '../../src/store/index.ts'
import { testCipher } from '../../src/store/testing/data.ts'
import type { FromProcess, ToProcess } from './messages.ts'

/** A process that delivers, as a process group with the role delivery does. */
let delivery: Delivery | undefined
let lines = 0
let cpu = process.cpuUsage()

const tell = (message: FromProcess) => process.send!(message)

process.on('message', async (message: ToProcess) => {
  if (message === 'begin') {
    cpu = process.cpuUsage()
    delivery!.refresh()
  } else if (message === 'report') {
    const { user, system } = process.cpuUsage(cpu)
    tell({ kind: 'spent', cpuMs: (user + system) / 1000, lines })
  } else {
    const { database, natsUrl, spool, location, leaseMs } = message
    const store = await openSqliteStore(database, { migrate: false, cipher: testCipher })
    const log = openNatsRecordLog(natsUrl, spool, ({ message: fault }) => console.error(fault))
    delivery = startDelivery({
      store,
      reader: await log.reader(),
      clock: systemClock,
      location,
      destinations: { reach: 'loopback', directory: tmpdir() },
      batchBytes: 256 * 1024 ** 2,
      onOutcome(_job, outcome) {
        lines += outcome.lines
        tell({ kind: 'delivered', lines: outcome.lines })
      },
      onError: (text, error) => console.error(text, error),
      pace: { settleMs: 50, leaseMs },
    })
    tell({ kind: 'ready' })
  }
})
