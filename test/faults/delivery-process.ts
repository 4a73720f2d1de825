/** A process that delivers as the delivery role does, until it is killed, told to stop, or walks into a trap. */
import { tmpdir } from 'node:os'
import { systemClock } from '../../src/kit/clock.ts'
import { startDelivery } from '../../src/logpush/index.ts'
import { logpushLimits } from '../../src/logpush/limits.ts'
import { setClock } from './clock.ts'
import { openDatabase } from './database.ts'
import { type DeliveryTask, exitNotStarted, type ToDelivery } from './messages.ts'
import { beAChild, openLog, report } from './open-log.ts'
import { Traps } from './traps.ts'
// Loaded when it is first needed; here that is before the kills begin.
import '../../src/logpush/sinks/s3/deliver.ts'
import '../../src/logpush/sinks/file/deliver.ts'

beAChild()
const traps = new Traps(() => report({ failed: true }))
let delivery: ReturnType<typeof startDelivery> | undefined
let close = async (): Promise<void> => {}

process.on('message', (message: ToDelivery) => {
  if ('trap' in message) traps.add(message.trap)
  else if ('clockAheadMs' in message) setClock(message.clockAheadMs)
  else if (!('tell' in message)) void start(message)
  else if (message.tell === 'refresh') delivery?.refresh()
  else if (message.tell === 'heal') heal()
  else void stop()
})

async function start(task: DeliveryTask): Promise<void> {
  if (task.partsFromBytes !== undefined) sendInParts(task.partsFromBytes)
  if (task.calm) heal()
  try {
    const store = await openDatabase(task.database, false)
    const log = await openLog(task.log)
    const reader = await log.reader()
    delivery = startDelivery({
      store: traps.around(store, ''),
      reader: traps.around(reader, 'reader'),
      clock: systemClock,
      location: task.location ?? 'machine',
      destinations: { reach: 'loopback', directory: tmpdir() },
      batchBytes: 256 * 1024 ** 2,
      onOutcome: (job, { outcome, message }) => report({ outcome: { job: job.name, outcome, message } }),
      onError: (message, error) =>
        report({ fault: { code: 'delivery', message: `${message}: ${error}`, dropped: 0 } }),
      pace: {
        ...pace,
        uploadMs: task.uploadMs,
        ...(task.leaseMs === undefined ? {} : { leaseMs: task.leaseMs }),
        ...(task.tickMs === undefined ? {} : { tickMs: task.tickMs, upkeepMs: 4 * task.tickMs }),
      },
    })
    close = async () => {
      await log.close()
      await store.close()
    }
  } catch (error) {
    report({ fault: { code: 'start', message: String(error), dropped: 0 } })
    process.exitCode = exitNotStarted
    process.disconnect?.()
    return
  }
  report({ ready: true })
}

/** From now on everything answers, however long it takes on a busy machine. */
function heal(): void {
  traps.clear()
  const timeout = AbortSignal.timeout
  AbortSignal.timeout = ms => timeout.call(AbortSignal, 20 * ms)
}

/** As it sends what is of a thousand times the size. */
function sendInParts(multipartBytesMin: number): void {
  const multipartPartBytes = Math.ceil(multipartBytesMin / 3)
  Object.assign(logpushLimits, { multipartBytesMin, multipartPartBytes })
}

/** Everything that takes seconds in earnest. */
const pace = {
  tickMs: 10,
  settleMs: 15,
  orderMs: 10,
  retryFirstMs: 10,
  retryLongestMs: 60,
  pausedRetryMs: 150,
  upkeepMs: 40,
} as const

async function stop(): Promise<void> {
  await delivery?.stop()
  await close()
  process.disconnect?.()
}
