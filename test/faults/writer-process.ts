/** A process that writes records as edge workers do, until it is killed or told to finish. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Forwarding, RecordWriter } from '../../src/bus/index.ts'
import { setClock } from './clock.ts'
import { exitNotStarted, type ToWriter, type WriterTask } from './messages.ts'
import { beAChild, openLog, report } from './open-log.ts'
import { Random } from './random.ts'
import { recordOf } from './records.ts'

/** Of each partition when it is told to finish: some are for the jobs of the seed, even if all others went with their log. */
const lastRecords = 50

let finishing = false

interface OpenPartition {
  readonly writer: RecordWriter
  readonly index: number
  appended: number
  acknowledged: number
}

beAChild()
process.on('message', (message: ToWriter) => {
  if ('tell' in message) finishing = true
  else if ('clockAheadMs' in message) setClock(message.clockAheadMs)
  else void work(message)
})

async function work(task: WriterTask): Promise<void> {
  let open: { close(): Promise<void> }
  let forwarding: Forwarding | undefined
  const partitions: OpenPartition[] = []
  try {
    const log = await openLog(task.log)
    open = log
    forwarding = await log.forward?.()
    for (const [index, name] of task.partitions.entries())
      partitions.push({ writer: await log.writer(name), index, appended: 0, acknowledged: 0 })
  } catch {
    process.exit(exitNotStarted)
  }
  report({ ready: true })
  const random = new Random(task.shape.seed + 31 * task.life + 7 * task.writer)
  let left = task.recordsMax
  while (!finishing) {
    const partition = random.pick(partitions)
    const group = Math.min(left, random.int(1, task.groupMax))
    left -= group
    for (let n = 0; n < group; n++) append(task, partition)
    if (random.chance(0.4)) void flush(partition)
    await sleep(random.int(0, task.pauseMs))
  }
  for (const partition of partitions) for (let n = 0; n < lastRecords; n++) append(task, partition)
  while (!(await Promise.all(partitions.map(flush))).every(Boolean)) await sleep(20)
  // Records that wait for a server belong to the log too: this is the last life.
  while (forwarding !== undefined && !(await hasMoved(forwarding))) await sleep(20)
  await open.close()
  process.disconnect?.()
}

async function hasMoved(forwarding: Forwarding): Promise<boolean> {
  return (await forwarding.stats()).every(({ delivered, head }) => delivered === head)
}

function append(task: WriterTask, partition: OpenPartition): void {
  const { writer, life } = task
  const name = { writer, life, partition: partition.index, number: ++partition.appended }
  partition.writer.append(JSON.stringify(recordOf(task.shape, name)))
}

/** @returns false when it is to be tried again */
async function flush(partition: OpenPartition): Promise<boolean> {
  const number = partition.appended
  try {
    await partition.writer.flush()
  } catch {
    return false
  }
  if (number > partition.acknowledged) {
    partition.acknowledged = number
    report({ durable: { partition: partition.index, number } })
  }
  return true
}
